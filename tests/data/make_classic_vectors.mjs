// Writes classic_vectors.json: what the well-known recipe, run by a JavaScript engine, makes of the texts below.
// It shares no code with the package, so that the two check each other. Run with Node 20 or later:
//
//     node tests/data/make_classic_vectors.mjs
//
// Sources: Austin Appleby's MurmurHash3_x86_32; TextEncoder for UTF-8 (a lone surrogate becomes EF BF BD).

import { writeFileSync } from "node:fs";

function murmur3(bytes, seed) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const mix = (k) => Math.imul(((k = Math.imul(k, 0xcc9e2d51)) << 15) | (k >>> 17), 0x1b873593);
  const whole = bytes.length & ~3;
  let h = seed | 0;
  for (let at = 0; at < whole; at += 4) {
    h ^= mix(view.getInt32(at, true));
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8) | bytes[at];
  if (whole < bytes.length) h ^= mix(tail);
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export function hash64(token) {
  const bytes = new TextEncoder().encode(token);
  const upper = murmur3(bytes, 0);
  return (BigInt(upper) << 32n) | BigInt(murmur3(bytes, upper));
}

export const tokens = (text) => text.toLowerCase().split(/\s+/).filter((word) => word.length > 2);

export function shingles(text, size = 3) {
  const words = text.toLowerCase().split(/\s+/);
  const runs = [];
  for (let at = 0; at + size <= words.length; at++) runs.push(words.slice(at, at + size).join(" "));
  return runs;
}

export function simhash(features) {
  const sums = new Array(64).fill(0);
  for (const feature of features) {
    const hash = hash64(feature);
    for (let bit = 0; bit < 64; bit++) sums[bit] += (hash >> BigInt(bit)) & 1n ? 1 : -1;
  }
  return sums.reduce((value, sum, bit) => (sum > 0 ? value | (1n << BigInt(bit)) : value), 0n);
}

const STRINGS = [
  "", "t", "ti", "tid", "tide", "tides", "tidewater", "lighthouse", "the lighthouse keeper", "Straße", "naïve", "nai\u0308ve",
  "øre", "łódź", "маяк", "φάρος", "منارة", "מגדלור", "प्रकाशस्तंभ", "ประภาคาร", "燈塔", "灯台", "등대", "ⲫⲁⲣⲟⲥ", "🗼", "🗼🌊",
  "👩‍🔬", "𐐨𐐩𐐪", "\ud83d", "\ude00", "a\ud83dz", "\ude00\ud83d", "\u0000", "\ufeff", "\u00a0", "2024-05-17", "%7E", "#", "\\",
  "x".repeat(15), "x".repeat(16), "x".repeat(17), "wave ".repeat(300),
];

const STORY =
  "The keeper of the old lighthouse counts the boats every evening. On Monday she counted eleven; on Tuesday the fog came " +
  "down before the last one was home, and she rang the bell by hand until it answered.";

const DOCS = [
  "", " ", "\n\t ", "an ox", "sea sea", "sea", "sea air", "one two three", " one two ", "a b c d", "\ufeffsalt wind", "salt\u0085wind tide",
  "salt\u001cwind tide rope", "salt\u2028wind\u3000tide\u1680rope", "salt\u200bwind tide rope", STORY, STORY.replace("eleven", "twelve"),
  STORY.toUpperCase(), `${STORY} ${STORY}`, `${STORY} She never told anyone.`, "the ".repeat(200) + STORY, "𐐀𐐁 𐐂 go 🗼🌊 🗼 ox",
  "ΟΔΥΣΣΕΥΣ ΦΑΡΟΣ ΦΑΡΟΣ. Σ ΑΣ", "İSTANBUL'DA DENİZ FENERİ IŞIK", "\ud83d\ud83d\ud83d ab\ude00 lone ends \ud800",
  "Der Leuchtturmwärter zählt jeden Abend die Boote. Am Montag waren es elf, am Dienstag kam der Nebel.",
  "Le gardien du phare compte les bateaux chaque soir ; lundi il y en avait onze, mardi la brume est venue.",
  "Смотритель маяка каждый вечер считает лодки. В понедельник их было одиннадцать, во вторник пришёл туман.",
  "حارس المنارة يعد القوارب كل مساء. كانت يوم الاثنين أحد عشر قاربا ثم جاء الضباب.",
  "שומר המגדלור סופר את הסירות בכל ערב. ביום שני היו אחת עשרה, וביום שלישי ירד ערפל.",
  "प्रकाशस्तंभ का रखवाला हर शाम नावें गिनता है। सोमवार को ग्यारह थीं, मंगलवार को कोहरा आ गया।",
  "ผู้ดูแลประภาคารนับเรือทุกเย็น วันจันทร์มีสิบเอ็ดลำ วันอังคารหมอกลง",
  "燈塔的看守人每天傍晚數船。星期一有十一艘,星期二起了霧。", "灯台守は毎晩、船を数える。 月曜日は十一艘、 火曜日は霧が出た。",
  "등대지기는 매일 저녁 배를 센다. 월요일에는 열한 척이었고 화요일에는 안개가 끼었다.",
  Array.from({ length: 400 }, (_, i) => `word${i % 97} ${i}`).join(" "),
];

const hex = (value) => value.toString(16).padStart(16, "0");
const describe = (text) => ({
  text,
  tokens: tokens(text),
  shingles: shingles(text),
  simhash_tokens: hex(simhash(tokens(text))),
  simhash_shingles: hex(simhash(shingles(text))),
});

const vectors = { strings: STRINGS.map((s) => ({ text: s, hash64: hex(hash64(s)) })), documents: DOCS.map(describe) };
writeFileSync(new URL("classic_vectors.json", import.meta.url), `${JSON.stringify(vectors, null, 1)}\n`);
