-- name: page_id
-- The number of a canonical key.
SELECT id FROM page WHERE key = :key

-- name: scheme_id
-- The number of a scheme.
SELECT id FROM scheme WHERE name = :name

-- name: scheme_names
-- All schemes of which captures are stored, first stored first.
SELECT name FROM scheme ORDER BY id

-- name: stored
-- The capture with this identity, whatever its state.
SELECT * FROM capture_row WHERE page_id = :page_id AND fetched_at = :at AND body_digest = :body_digest

-- name: is_stored
-- The id of the capture with this identity.
SELECT id FROM capture WHERE page_id = :page_id AND fetched_at = :fetched_at AND body_digest = :body_digest

-- name: last_not_after
-- The latest good capture of a page, and of a scheme if one is given, that was not fetched after a time.
SELECT * FROM capture_row WHERE page_id = :page_id AND good = 1 AND fetched_at <= :at
  AND (:scheme_id IS NULL OR scheme_id = :scheme_id)
ORDER BY fetched_at DESC, id DESC LIMIT 1

-- name: first_after
-- The earliest good capture of a page, and of a scheme if one is given, that was fetched after a time.
SELECT * FROM capture_row WHERE page_id = :page_id AND good = 1 AND fetched_at > :at
  AND (:scheme_id IS NULL OR scheme_id = :scheme_id)
ORDER BY fetched_at, id DESC LIMIT 1

-- name: equal
-- The ids of good captures of other pages with this digest, of each page the highest, first known page first. It leaps
-- from page to page in the index, so that a page that was fetched often costs no more than another.
WITH RECURSIVE holder (page_id) AS (
    SELECT min(page_id) FROM capture WHERE digest = :digest AND good = 1 AND scheme_id = :scheme_id
    UNION ALL
    SELECT (SELECT min(page_id) FROM capture
            WHERE digest = :digest AND good = 1 AND scheme_id = :scheme_id AND page_id > holder.page_id)
    FROM holder WHERE holder.page_id IS NOT NULL
), latest (id) AS (
    SELECT (SELECT id FROM capture
            WHERE digest = :digest AND good = 1 AND scheme_id = :scheme_id AND page_id = holder.page_id
              AND fetched_at >= :since
            ORDER BY id DESC LIMIT 1)
    FROM holder WHERE holder.page_id <> :page_id
)
SELECT id FROM latest WHERE id IS NOT NULL LIMIT :limit

-- name: earlier
-- The good capture of a page itself with a digest that was observed last, of those not fetched after a time.
SELECT * FROM capture_row WHERE id = (
    SELECT id FROM capture
    WHERE digest = :digest AND good = 1 AND scheme_id = :scheme_id AND page_id = :page_id AND fetched_at <= :at
    ORDER BY id DESC LIMIT 1)

-- name: by_ids
-- The captures with these ids (a JSON array), in no order.
SELECT * FROM capture_row WHERE id IN (SELECT value FROM json_each(:ids))

-- name: count_of
-- How many captures with these ids (a JSON array) there are.
SELECT count(*) FROM capture WHERE id IN (SELECT value FROM json_each(:ids))

-- name: good_after
-- Good captures of a scheme above an id, lowest id first.
SELECT * FROM capture_row WHERE id > :id AND good = 1 AND scheme_id = :scheme_id ORDER BY id LIMIT :limit

-- name: captures_above
-- Captures above an id with their compressed texts, lowest id first.
SELECT r.*, t.markdown, t.sentences FROM capture_row AS r LEFT JOIN capture_text AS t ON t.capture_id = r.id
WHERE r.id > :id ORDER BY r.id LIMIT :limit

-- name: sightings_above
-- What is seen of keys above a number, lowest number first.
SELECT id, key, url, site, last_seen, etag, last_modified, not_modified FROM page
WHERE id > :id AND last_seen IS NOT NULL ORDER BY id LIMIT :limit

-- name: take_sighting
-- Take over what another store saw of a key. What stands right of `=` is the row before the update.
UPDATE page SET
    url = CASE WHEN :last_seen >= last_seen THEN :url ELSE url END,
    site = CASE WHEN :last_seen >= last_seen THEN :site ELSE site END,
    etag = CASE WHEN :last_seen >= last_seen THEN :etag ELSE etag END,
    last_modified = CASE WHEN :last_seen >= last_seen THEN :last_modified ELSE last_modified END,
    last_seen = max(last_seen, :last_seen), not_modified = max(not_modified, :not_modified)
WHERE key = :key AND last_seen IS NOT NULL

-- name: texts
-- The compressed texts of a capture.
SELECT markdown, sentences FROM capture_text WHERE capture_id = :id

-- name: seen
-- What is seen of a key.
SELECT key, url, site, last_seen, etag, last_modified FROM page WHERE key = :key AND last_seen IS NOT NULL

-- name: generation
-- How often something was deleted.
SELECT generation FROM meta

-- name: last_id
-- The highest id.
SELECT coalesce(max(id), 0) FROM capture

-- name: findable_after
-- Captures above an id as the in-memory index needs them.
SELECT id, scheme_id, simhash, site, page_id, fetched_at, good FROM capture WHERE id > :id ORDER BY id

-- name: findable
-- All captures that the in-memory index can find, by site, each column as text, and how many there are of the site and how
-- many of them hold something else than numbers; read from the covering index. Text costs a quarter of what rows do.
SELECT site, count(*), total(typeof(scheme_id) <> 'integer' OR typeof(simhash) <> 'integer'
                             OR typeof(page_id) <> 'integer' OR typeof(fetched_at) <> 'integer'),
       group_concat(scheme_id), group_concat(id), group_concat(simhash), group_concat(page_id), group_concat(fetched_at)
FROM capture INDEXED BY capture_site WHERE good = 1 AND simhash IS NOT NULL GROUP BY site

-- name: findable_ids
-- The ids of all captures that the in-memory index can find, those of each site as text.
SELECT group_concat(id) FROM capture INDEXED BY capture_site WHERE good = 1 AND simhash IS NOT NULL GROUP BY site

-- name: insert_scheme
-- Note a scheme.
INSERT INTO scheme (name) VALUES (:name)

-- name: insert_page
-- Note a canonical key of which nothing is seen yet.
INSERT INTO page (key) VALUES (:key)

-- name: insert_capture
-- Store a capture.
INSERT INTO capture (
    page_id, scheme_id, site, fetched_at, good, state, simhash, digest, fingerprint, verdict, match_id,
    body_digest, body_bytes, status, url, title, canonical_url, etag, last_modified
) VALUES (
    :page_id, :scheme_id, :site, :fetched_at, :good, :state, :simhash, :digest, :fingerprint, :verdict, :match_id,
    :body_digest, :body_bytes, :status, :url, :title, :canonical_url, :etag, :last_modified
)

-- name: insert_texts
-- Store the compressed texts of a capture.
INSERT INTO capture_text (capture_id, markdown, sentences) VALUES (:id, :markdown, :sentences)

-- name: see_page
-- A page answered well; older news do not replace newer.
UPDATE page SET url = :url, site = :site, last_seen = :fetched_at, etag = :etag, last_modified = :last_modified
WHERE id = :page_id AND (last_seen IS NULL OR last_seen <= :fetched_at)

-- name: not_modified
-- A 304 of a key that answered well before. What stands right of `=` is the row before the update.
UPDATE page SET
    not_modified = not_modified + 1,
    etag = CASE WHEN :at >= last_seen THEN coalesce(:etag, etag) ELSE etag END,
    last_modified = CASE WHEN :at >= last_seen THEN coalesce(:last_modified, last_modified) ELSE last_modified END,
    last_seen = max(last_seen, :at)
WHERE key = :key AND last_seen IS NOT NULL

-- name: forget_by_key
-- Delete captures of a key.
DELETE FROM capture
WHERE page_id = (SELECT id FROM page WHERE key = :key)
  AND (:site IS NULL OR site = :site) AND (:before IS NULL OR fetched_at < :before)

-- name: forget_by_site
-- Delete captures of a site.
DELETE FROM capture WHERE site = :site AND (:before IS NULL OR fetched_at < :before)

-- name: forget_by_time
-- Delete captures fetched before a time.
DELETE FROM capture WHERE id IN (SELECT id FROM capture INDEXED BY capture_site WHERE fetched_at < :before)

-- name: forget_pages
-- Delete pages without a capture left.
DELETE FROM page WHERE NOT EXISTS (SELECT 1 FROM capture WHERE page_id = page.id)

-- name: unsee_pages
-- Forget what is seen of pages without a good capture left.
UPDATE page SET url = NULL, site = NULL, last_seen = NULL, etag = NULL, last_modified = NULL, not_modified = 0
WHERE last_seen IS NOT NULL AND NOT EXISTS (SELECT 1 FROM capture WHERE page_id = page.id AND good = 1)

-- name: forget_schemes
-- Delete schemes without a capture left.
DELETE FROM scheme WHERE id NOT IN (SELECT scheme_id FROM capture INDEXED BY capture_site)

-- name: aged
-- Captures fetched before a time, but for the last good one of a page that was seen since. Unordered: a sort would look at all
-- of them each time some are chosen.
SELECT c.id FROM capture AS c INDEXED BY capture_site JOIN page AS p ON p.id = c.page_id
WHERE c.fetched_at < :before AND (c.good = 0 OR p.last_seen < :before OR EXISTS (
    SELECT 1 FROM capture AS n WHERE n.page_id = c.page_id AND n.good = 1 AND n.fetched_at >= c.fetched_at
      AND (n.fetched_at > c.fetched_at OR n.id > c.id)))
LIMIT :limit

-- name: surplus
-- Captures of a site but for the last good one of each page, those first that are superseded most.
SELECT id FROM (
    SELECT id, fetched_at,
           row_number() OVER (PARTITION BY page_id, good ORDER BY fetched_at DESC, id DESC) + 1 - good AS place
    FROM capture INDEXED BY capture_site WHERE site = :site
) WHERE place > 1 ORDER BY place DESC, fetched_at, id LIMIT :limit

-- name: pages_of
-- The pages of captures (a JSON array of ids), and their keys.
SELECT DISTINCT p.id, p.key FROM capture AS c JOIN page AS p ON p.id = c.page_id
WHERE c.id IN (SELECT value FROM json_each(:ids))

-- name: expire_captures
-- Delete captures (a JSON array of ids), but for the last good one of a page, unless that was last seen before a time.
DELETE FROM capture WHERE id IN (SELECT value FROM json_each(:ids))
  AND (good = 0 OR (SELECT last_seen FROM page WHERE page.id = capture.page_id) < :before OR EXISTS (
    SELECT 1 FROM capture AS n WHERE n.page_id = capture.page_id AND n.good = 1 AND n.fetched_at >= capture.fetched_at
      AND (n.fetched_at > capture.fetched_at OR n.id > capture.id)))

-- name: empty_among
-- Which of some pages (a JSON array of ids) have no capture left.
SELECT id FROM page WHERE id IN (SELECT value FROM json_each(:pages))
  AND NOT EXISTS (SELECT 1 FROM capture WHERE page_id = page.id)

-- name: unsee_among
-- Forget what is seen of those of some pages (a JSON array of ids) that have no good capture left.
UPDATE page SET url = NULL, site = NULL, last_seen = NULL, etag = NULL, last_modified = NULL, not_modified = 0
WHERE id IN (SELECT value FROM json_each(:pages)) AND last_seen IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM capture WHERE page_id = page.id AND good = 1)

-- name: delete_pages
-- Delete pages (a JSON array of ids).
DELETE FROM page WHERE id IN (SELECT value FROM json_each(:pages))

-- name: count_pages
-- Distinct keys, and 304 answers noted.
SELECT count(*), coalesce(sum(not_modified), 0) FROM page

-- name: count_sites
-- Distinct sites.
SELECT count(DISTINCT site) FROM capture

-- name: count_contents
-- Distinct digests among good captures.
SELECT count(DISTINCT digest) FROM capture WHERE good = 1

-- name: by_verdict
-- Captures and body bytes by verdict.
SELECT verdict, count(*), sum(body_bytes) FROM capture INDEXED BY capture_site GROUP BY verdict

-- name: count_pages_of
-- Distinct keys of a site, and 304 answers noted of them.
SELECT count(*), coalesce(sum(not_modified), 0) FROM page
WHERE id IN (SELECT page_id FROM capture INDEXED BY capture_site WHERE site = :site)

-- name: count_contents_of
-- Distinct digests among good captures of a site.
SELECT count(DISTINCT digest) FROM capture INDEXED BY capture_site WHERE site = :site AND good = 1

-- name: by_verdict_of
-- Captures and body bytes of a site by verdict.
SELECT verdict, count(*), sum(body_bytes) FROM capture INDEXED BY capture_site WHERE site = :site GROUP BY verdict

-- name: by_site
-- Captures and distinct keys by site.
SELECT site, count(*), count(DISTINCT page_id) FROM capture INDEXED BY capture_site GROUP BY site ORDER BY site

-- name: by_scheme
-- Captures by scheme, and the times of the first and the last.
SELECT s.name, count(*), min(c.fetched_at), max(c.fetched_at)
FROM capture AS c INDEXED BY capture_site JOIN scheme AS s ON s.id = c.scheme_id GROUP BY s.id

-- name: all_captures
-- What is checked of every capture.
SELECT c.id, c.fingerprint, c.simhash, c.digest, c.state, c.good, s.name, c.match_id, t.capture_id, t.markdown,
       t.sentences, c.verdict, c.fetched_at
FROM capture AS c NOT INDEXED
LEFT JOIN scheme AS s ON s.id = c.scheme_id LEFT JOIN capture_text AS t ON t.capture_id = c.id ORDER BY c.id

-- name: duplicates
-- Identities that are there more than once, read from the table, not from the index that should prevent it.
SELECT min(id), max(id) FROM capture NOT INDEXED GROUP BY page_id, fetched_at, body_digest HAVING count(*) > 1

-- name: empty_pages
-- Keys without a capture.
SELECT key FROM page WHERE NOT EXISTS (SELECT 1 FROM capture WHERE page_id = page.id)

-- name: orphans
-- Captures whose key is missing.
SELECT id, page_id FROM capture WHERE NOT EXISTS (SELECT 1 FROM page WHERE page.id = page_id)

-- name: unseen_pages
-- Keys of which last_seen does not fit their good captures, or is no time (beyond the year 9999).
SELECT p.key, p.last_seen, max(c.fetched_at)
FROM page AS p LEFT JOIN capture AS c ON c.page_id = p.id AND c.good = 1
GROUP BY p.id HAVING (p.last_seen IS NULL) <> (count(c.id) = 0) OR p.last_seen < max(c.fetched_at)
    OR p.last_seen > 253402300799999999
