"""Write `fingerprints.json`: golden vectors of both schemes. Run it only together with a new scheme version."""

from __future__ import annotations

import json
from pathlib import Path

import sameish

PAGES = {
    "english": "<title>Ferries</title><nav><a href=/>Home</a></nav><article><h1>Fewer ferries in winter</h1>"
    "<p>The council has approved a new timetable for the ferry that links the northern pier with the small island.</p>"
    "<p>From November the boat leaves every fifty minutes, and a ticket costs 4.50 EUR instead of 3.90 EUR.</p>"
    "<ul><li>Bicycles travel free.</li><li>Dogs do not.</li></ul><p>A review is planned after three months.</p></article>",
    "chinese": "<html lang=zh><body><article><h1>渡轮班次调整</h1><p>市交通局昨天宣布,从十一月起渡轮将调整班次。白天每五十分钟一班,晚上最后一班提前到九点。"
    "岛上居民表示,医院护士将无法当天回家。</p></article>",
    "thai": "<html lang=th><body><h1>เปลี่ยนเวลาเดินเรือ</h1><p>เรือจะออกทุกห้าสิบนาที และเที่ยวสุดท้ายจะออกเวลาสามทุ่มแทนห้าทุ่ม ชาวเกาะบอกว่าพยาบาลจะกลับบ้านไม่ได้</p>",
    "arabic": "<html lang=ar dir=rtl><body><h1>جدول شتوي</h1><p>أعلن مجلس المدينة جدولاً شتوياً جديداً للعبّارة التي تربط الميناء بالجزيرة الصغيرة كل خمسين دقيقة.</p>",
    "code and table": "<h1>Queue</h1><p>Both functions have the same result for an empty list, which is worth a test of its own.</p>"
    "<pre><code class=language-js>function next(list) {\n  return list[0];\n}</code></pre>"
    "<table><tr><th>Bench<th>Day<tr><td>Lathe<td>32 EUR<tr><td>Press<td>18 EUR</table>",
    "thin": "<p>Closed on Monday.</p>",
    "empty": "<html><body></body></html>",
}


def main() -> None:
    vectors = [
        {"name": name, "html": html}
        | {scheme: sameish.fingerprint(sameish.Page(html), scheme).to_bytes().hex() for scheme in ("text", "classic")}
        for name, html in PAGES.items()
    ]
    path = Path(__file__).with_name("fingerprints.json")
    path.write_text(json.dumps(vectors, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
