-- name: numbers
-- The numbers of a canonical key and of a scheme, NULL where they are not there, and how often something was deleted.
SELECT (SELECT id FROM sameish.page WHERE key_digest = %(key)s), (SELECT id FROM sameish.scheme WHERE name = %(scheme)s),
       generation
FROM sameish.meta

-- name: page_ids
-- The numbers of canonical keys, by digest.
SELECT key_digest, id FROM sameish.page WHERE key_digest = ANY(%(keys)s::bytea[])

-- name: scheme_names
-- All schemes of which captures are stored, first stored first.
SELECT name FROM sameish.scheme ORDER BY id

-- name: stored
-- The capture with this identity, whatever its state.
SELECT * FROM sameish.capture_row WHERE page_id = %(page_id)s AND fetched_at = %(at)s AND body_digest = %(body_digest)s

-- name: is_stored
-- The id of the capture with this identity.
SELECT id FROM sameish.capture
WHERE page_id = %(page_id)s AND fetched_at = %(fetched_at)s AND body_digest = %(body_digest)s

-- name: are_stored
-- The identities among these of which there are captures, and the ids of those.
SELECT page_id, fetched_at, body_digest, id FROM sameish.capture
JOIN unnest(%(pages)s::bigint[], %(times)s::bigint[], %(digests)s::bytea[]) AS asked (page_id, fetched_at, body_digest)
USING (page_id, fetched_at, body_digest)

-- name: last_not_after
-- The latest good capture of a page, and of a scheme if one is given, that was not fetched after a time, with its texts.
SELECT r.*, t.markdown, t.sentences FROM sameish.capture_row AS r
LEFT JOIN sameish.capture_text AS t ON t.capture_id = r.id
WHERE r.page_id = %(page_id)s AND r.good AND r.fetched_at <= %(at)s
  AND (%(scheme_id)s::bigint IS NULL OR r.scheme_id = %(scheme_id)s)
ORDER BY r.fetched_at DESC, r.id DESC LIMIT 1

-- name: first_after
-- The earliest good capture of a page, and of a scheme if one is given, that was fetched after a time, with its texts.
SELECT r.*, t.markdown, t.sentences FROM sameish.capture_row AS r
LEFT JOIN sameish.capture_text AS t ON t.capture_id = r.id
WHERE r.page_id = %(page_id)s AND r.good AND r.fetched_at > %(at)s
  AND (%(scheme_id)s::bigint IS NULL OR r.scheme_id = %(scheme_id)s)
ORDER BY r.fetched_at, r.id DESC LIMIT 1

-- name: equal
-- Good captures of other keys with this digest, of each key the one with the highest id, first known key first. It leaps
-- from page to page in the index, so that a page that was fetched often costs no more than another.
WITH RECURSIVE holder (page_id) AS (
    (SELECT c.page_id FROM sameish.capture AS c
     WHERE c.digest = %(digest)s AND c.good AND c.scheme_id = %(scheme_id)s ORDER BY c.page_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.page_id FROM sameish.capture AS c
            WHERE c.digest = %(digest)s AND c.good AND c.scheme_id = %(scheme_id)s AND c.page_id > holder.page_id
            ORDER BY c.page_id LIMIT 1)
    FROM holder WHERE holder.page_id IS NOT NULL
), latest (id, page_id) AS (
    SELECT (SELECT c.id FROM sameish.capture AS c
            WHERE c.digest = %(digest)s AND c.good AND c.scheme_id = %(scheme_id)s
              AND c.page_id = holder.page_id AND c.fetched_at >= %(since)s
            ORDER BY c.id DESC LIMIT 1), holder.page_id
    FROM holder WHERE holder.page_id <> %(page_id)s
), found (id) AS (
    SELECT id FROM latest WHERE id IS NOT NULL LIMIT %(limit)s
)
SELECT r.* FROM found JOIN sameish.capture_row AS r USING (id) ORDER BY r.page_id

-- name: earlier
-- The good capture of a page itself with a digest that was observed last, of those not fetched after a time.
SELECT * FROM sameish.capture_row WHERE id = (
    SELECT c.id FROM sameish.capture AS c
    WHERE c.digest = %(digest)s AND c.good AND c.scheme_id = %(scheme_id)s AND c.page_id = %(page_id)s
      AND c.fetched_at <= %(at)s
    ORDER BY c.id DESC LIMIT 1)

-- name: near_by_blocks
-- Good captures of other keys within a distance and their distances, of each key the nearest, of equally near ones the
-- highest id; nearest first, then first known key. Looked for among those that have a block of 16 bits in common with the
-- hash, or one of the neighbours of a block that are asked for: in the indexes alone.
WITH close AS MATERIALIZED (
    SELECT c.id FROM sameish.capture AS c
    WHERE ((c.simhash >> 48) & 65535)::integer = ANY(%(block_1)s::integer[])
      AND bit_count((c.simhash # %(simhash)s::bigint)::bit(64)) <= %(within)s
    UNION ALL
    SELECT c.id FROM sameish.capture AS c
    WHERE ((c.simhash >> 32) & 65535)::integer = ANY(%(block_2)s::integer[])
      AND bit_count((c.simhash # %(simhash)s::bigint)::bit(64)) <= %(within)s
    UNION ALL
    SELECT c.id FROM sameish.capture AS c
    WHERE ((c.simhash >> 16) & 65535)::integer = ANY(%(block_3)s::integer[])
      AND bit_count((c.simhash # %(simhash)s::bigint)::bit(64)) <= %(within)s
    UNION ALL
    SELECT c.id FROM sameish.capture AS c
    WHERE (c.simhash & 65535)::integer = ANY(%(block_4)s::integer[])
      AND bit_count((c.simhash # %(simhash)s::bigint)::bit(64)) <= %(within)s
), fit AS (
    SELECT c.id, c.page_id, bit_count((c.simhash # %(simhash)s::bigint)::bit(64)) AS distance
    FROM sameish.capture AS c
    WHERE c.id = ANY(ARRAY(SELECT id FROM close)) AND c.good AND c.scheme_id = %(scheme_id)s
      AND c.fetched_at >= %(since)s AND (%(site)s::text IS NULL OR c.site = %(site)s) AND c.page_id <> %(page_id)s
), best AS (
    SELECT DISTINCT ON (page_id) id, page_id, distance FROM fit ORDER BY page_id, distance, id DESC
), found AS (
    SELECT id, distance FROM best ORDER BY distance, page_id LIMIT %(limit)s
)
SELECT r.*, found.distance FROM found JOIN sameish.capture_row AS r USING (id) ORDER BY found.distance, r.page_id

-- name: near_by_scan
-- As near_by_blocks, looked for among so many of the most recently fetched captures, NULL: all.
WITH recent AS MATERIALIZED (
    SELECT c.id, c.page_id, bit_count((c.simhash # %(simhash)s::bigint)::bit(64)) AS distance
    FROM sameish.capture AS c
    WHERE c.good AND c.simhash IS NOT NULL AND c.scheme_id = %(scheme_id)s
      AND c.fetched_at >= %(since)s
      AND c.page_id <> %(page_id)s
    ORDER BY c.fetched_at DESC, c.id DESC LIMIT %(recent)s
), best AS (
    SELECT DISTINCT ON (page_id) id, page_id, distance FROM recent WHERE distance <= %(within)s
    ORDER BY page_id, distance, id DESC
), found AS (
    SELECT id, distance FROM best ORDER BY distance, page_id LIMIT %(limit)s
)
SELECT r.*, found.distance FROM found JOIN sameish.capture_row AS r USING (id) ORDER BY found.distance, r.page_id

-- name: near_on_site
-- As near_by_scan, of a site.
WITH recent AS MATERIALIZED (
    SELECT c.id, c.page_id, bit_count((c.simhash # %(simhash)s::bigint)::bit(64)) AS distance
    FROM sameish.capture AS c
    WHERE c.good AND c.simhash IS NOT NULL AND c.scheme_id = %(scheme_id)s
      AND c.fetched_at >= %(since)s
      AND "left"(c.site, 500) = "left"(%(site)s, 500) AND c.site = %(site)s
      AND c.page_id <> %(page_id)s
    ORDER BY c.fetched_at DESC, c.id DESC LIMIT %(recent)s
), best AS (
    SELECT DISTINCT ON (page_id) id, page_id, distance FROM recent WHERE distance <= %(within)s
    ORDER BY page_id, distance, id DESC
), found AS (
    SELECT id, distance FROM best ORDER BY distance, page_id LIMIT %(limit)s
)
SELECT r.*, found.distance FROM found JOIN sameish.capture_row AS r USING (id) ORDER BY found.distance, r.page_id

-- name: captures_above
-- Captures above an id with their compressed texts, lowest id first.
SELECT r.*, t.markdown, t.sentences FROM sameish.capture_row AS r
LEFT JOIN sameish.capture_text AS t ON t.capture_id = r.id
WHERE r.id > %(id)s ORDER BY r.id LIMIT %(limit)s

-- name: sightings_above
-- What is seen of keys above a number, lowest number first.
SELECT id, key, url, site, last_seen, etag, last_modified, not_modified FROM sameish.page
WHERE id > %(id)s AND last_seen IS NOT NULL ORDER BY id LIMIT %(limit)s

-- name: take_sighting
-- Take over what another store saw of a key. What stands right of `=` is the row before the update.
UPDATE sameish.page SET
    url = CASE WHEN %(last_seen)s >= last_seen THEN %(url)s ELSE url END,
    site = CASE WHEN %(last_seen)s >= last_seen THEN %(site)s ELSE site END,
    etag = CASE WHEN %(last_seen)s >= last_seen THEN %(etag)s ELSE etag END,
    last_modified = CASE WHEN %(last_seen)s >= last_seen THEN %(last_modified)s ELSE last_modified END,
    last_seen = greatest(last_seen, %(last_seen)s), not_modified = greatest(not_modified, %(not_modified)s)
WHERE key_digest = %(key)s AND last_seen IS NOT NULL

-- name: by_ids
-- The captures with these ids, in no order.
SELECT * FROM sameish.capture_row WHERE id = ANY(%(ids)s::bigint[])

-- name: good_after
-- Good captures of a scheme above an id, lowest id first.
SELECT * FROM sameish.capture_row
WHERE id > %(id)s AND good AND scheme_id = %(scheme_id)s
ORDER BY id LIMIT %(limit)s

-- name: seen
-- What is seen of a key.
SELECT key, url, site, last_seen, etag, last_modified FROM sameish.page WHERE key_digest = %(key)s AND last_seen IS NOT NULL

-- name: findable_after
-- The next captures above an id as the in-memory index needs them; those that it cannot find have no simhash.
SELECT id, scheme_id, CASE WHEN good THEN simhash END, site, page_id, fetched_at FROM sameish.capture
WHERE id > %(id)s ORDER BY id LIMIT %(limit)s

-- name: findable_ids
-- The ids of all captures that the in-memory index can find, as text, which costs a fifth of what rows do.
SELECT coalesce(string_agg(id::text, ','), '') FROM sameish.capture WHERE good AND simhash IS NOT NULL

-- name: insert_scheme
-- Note a scheme and return its number.
INSERT INTO sameish.scheme (name) VALUES (%(name)s) RETURNING id

-- name: insert_page
-- Note a canonical key of which nothing is seen yet, and return its number.
INSERT INTO sameish.page (key, key_digest) VALUES (%(key)s, %(key_digest)s) RETURNING id

-- name: insert_capture
-- Store a capture and return its id.
INSERT INTO sameish.capture (
    page_id, scheme_id, site, fetched_at, good, state, simhash, digest, fingerprint, verdict, match_id,
    body_digest, body_bytes, status, url, title, canonical_url, etag, last_modified
) VALUES (
    %(page_id)s, %(scheme_id)s, %(site)s, %(fetched_at)s, %(good)s, %(state)s, %(simhash)s, %(digest)s, %(fingerprint)s,
    %(verdict)s, %(match_id)s, %(body_digest)s, %(body_bytes)s, %(status)s, %(url)s, %(title)s, %(canonical_url)s,
    %(etag)s, %(last_modified)s
) RETURNING id

-- name: insert_texts
-- Store the compressed texts of a capture.
INSERT INTO sameish.capture_text (capture_id, markdown, sentences) VALUES (%(id)s, %(markdown)s, %(sentences)s)

-- name: next_capture_ids
-- Ids for so many captures.
SELECT nextval(pg_get_serial_sequence('sameish.capture', 'id')) FROM generate_series(1, %(count)s)

-- name: next_page_ids
-- Numbers for so many pages.
SELECT nextval(pg_get_serial_sequence('sameish.page', 'id')) FROM generate_series(1, %(count)s)

-- name: copy_pages
-- Note many canonical keys of which nothing is seen yet.
COPY sameish.page (id, key, key_digest) FROM STDIN (FORMAT BINARY)

-- name: copy_captures
-- Store many captures.
COPY sameish.capture (
    id, page_id, scheme_id, site, fetched_at, good, state, simhash, digest, fingerprint, verdict, match_id,
    body_digest, body_bytes, status, url, title, canonical_url, etag, last_modified
) FROM STDIN (FORMAT BINARY)

-- name: copy_texts
-- Store the compressed texts of many captures.
COPY sameish.capture_text (capture_id, markdown, sentences) FROM STDIN (FORMAT BINARY)

-- name: see_page
-- A page answered well; older news do not replace newer.
UPDATE sameish.page
SET url = %(url)s, site = %(site)s, last_seen = %(fetched_at)s, etag = %(etag)s, last_modified = %(last_modified)s
WHERE id = %(page_id)s AND (last_seen IS NULL OR last_seen <= %(fetched_at)s)

-- name: see_pages
-- Many pages answered well, each given once; older news do not replace newer.
UPDATE sameish.page AS p
SET url = n.url, site = n.site, last_seen = n.at, etag = n.etag, last_modified = n.last_modified
FROM unnest(%(pages)s::bigint[], %(urls)s::text[], %(sites)s::text[], %(times)s::bigint[], %(etags)s::text[],
            %(last_modifieds)s::text[]) AS n (id, url, site, at, etag, last_modified)
WHERE p.id = n.id AND (p.last_seen IS NULL OR p.last_seen <= n.at)

-- name: not_modified
-- A 304 of a key that answered well before. What stands right of `=` is the row before the update.
UPDATE sameish.page SET
    not_modified = not_modified + 1,
    etag = CASE WHEN %(at)s >= last_seen THEN coalesce(%(etag)s, etag) ELSE etag END,
    last_modified = CASE WHEN %(at)s >= last_seen THEN coalesce(%(last_modified)s, last_modified) ELSE last_modified END,
    last_seen = greatest(last_seen, %(at)s)
WHERE key_digest = %(key)s AND last_seen IS NOT NULL

-- name: forget_by_key
-- Delete captures of a key.
DELETE FROM sameish.capture
WHERE page_id = (SELECT id FROM sameish.page WHERE key_digest = %(key)s)
  AND (%(site)s::text IS NULL OR site = %(site)s) AND (%(before)s::bigint IS NULL OR fetched_at < %(before)s)

-- name: forget_by_site
-- Delete captures of a site.
DELETE FROM sameish.capture
WHERE "left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s
  AND (%(before)s::bigint IS NULL OR fetched_at < %(before)s)

-- name: forget_by_time
-- Delete captures fetched before a time.
DELETE FROM sameish.capture WHERE fetched_at < %(before)s

-- name: forget_pages
-- Delete pages without a capture left.
DELETE FROM sameish.page AS p WHERE NOT EXISTS (SELECT 1 FROM sameish.capture WHERE page_id = p.id)

-- name: unsee_pages
-- Forget what is seen of pages without a good capture left.
UPDATE sameish.page AS p
SET url = NULL, site = NULL, last_seen = NULL, etag = NULL, last_modified = NULL, not_modified = 0
WHERE last_seen IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sameish.capture WHERE page_id = p.id AND good)

-- name: forget_schemes
-- Delete schemes without a capture left.
DELETE FROM sameish.scheme AS s WHERE NOT EXISTS (SELECT 1 FROM sameish.capture WHERE scheme_id = s.id)

-- name: aged
-- Captures fetched before a time, in no order, but for the last good one of a page that was seen since.
SELECT c.id FROM sameish.capture AS c JOIN sameish.page AS p ON p.id = c.page_id
WHERE c.fetched_at < %(before)s AND (NOT c.good OR p.last_seen < %(before)s OR EXISTS (
    SELECT 1 FROM sameish.capture AS n
    WHERE n.page_id = c.page_id AND n.good AND (n.fetched_at, n.id) > (c.fetched_at, c.id)))
LIMIT %(limit)s

-- name: surplus
-- Captures of a site but for the last good one of each page, those first that are superseded most.
SELECT id FROM (
    SELECT id, fetched_at,
           row_number() OVER (PARTITION BY page_id, good ORDER BY fetched_at DESC, id DESC)
           + CASE WHEN good THEN 0 ELSE 1 END AS place
    FROM sameish.capture WHERE "left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s
) AS ranked WHERE place > 1 ORDER BY place DESC, fetched_at, id LIMIT %(limit)s

-- name: pages_of
-- The pages of captures, and their keys.
SELECT DISTINCT p.id, p.key FROM sameish.capture AS c JOIN sameish.page AS p ON p.id = c.page_id
WHERE c.id = ANY(%(ids)s::bigint[])

-- name: expire_captures
-- Delete captures, but for the last good one of a page, unless that was last seen before a time.
DELETE FROM sameish.capture AS c WHERE c.id = ANY(%(ids)s::bigint[])
  AND (NOT c.good OR (SELECT last_seen FROM sameish.page AS p WHERE p.id = c.page_id) < %(before)s::bigint OR EXISTS (
    SELECT 1 FROM sameish.capture AS n
    WHERE n.page_id = c.page_id AND n.good AND (n.fetched_at, n.id) > (c.fetched_at, c.id)))

-- name: empty_among
-- Which of some pages have no capture left.
SELECT id FROM sameish.page AS p WHERE id = ANY(%(pages)s::bigint[])
  AND NOT EXISTS (SELECT 1 FROM sameish.capture WHERE page_id = p.id)

-- name: unsee_among
-- Forget what is seen of those of some pages that have no good capture left.
UPDATE sameish.page AS p
SET url = NULL, site = NULL, last_seen = NULL, etag = NULL, last_modified = NULL, not_modified = 0
WHERE id = ANY(%(pages)s::bigint[]) AND last_seen IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM sameish.capture WHERE page_id = p.id AND good)

-- name: delete_pages
-- Delete pages.
DELETE FROM sameish.page WHERE id = ANY(%(pages)s::bigint[])

-- name: count_pages
-- Distinct keys, and 304 answers noted.
SELECT count(*), coalesce(sum(not_modified), 0)::bigint FROM sameish.page

-- name: count_sites
-- Distinct sites.
SELECT count(DISTINCT site) FROM sameish.capture

-- name: count_contents
-- Distinct digests among good captures.
SELECT count(DISTINCT digest) FROM sameish.capture WHERE good

-- name: by_verdict
-- Captures and body bytes by verdict.
SELECT verdict, count(*), sum(body_bytes)::bigint FROM sameish.capture GROUP BY verdict

-- name: count_pages_of
-- Distinct keys of a site, and 304 answers noted of them.
SELECT count(*), coalesce(sum(not_modified), 0)::bigint FROM sameish.page WHERE id IN (
    SELECT page_id FROM sameish.capture WHERE "left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s)

-- name: count_contents_of
-- Distinct digests among good captures of a site.
SELECT count(DISTINCT digest) FROM sameish.capture
WHERE "left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s AND good

-- name: by_verdict_of
-- Captures and body bytes of a site by verdict.
SELECT verdict, count(*), sum(body_bytes)::bigint FROM sameish.capture
WHERE "left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s GROUP BY verdict

-- name: by_site
-- Captures and distinct keys by site.
SELECT site, count(*), count(DISTINCT page_id) FROM sameish.capture GROUP BY site ORDER BY site

-- name: by_scheme
-- Captures by scheme, and the times of the first and the last.
SELECT s.name, count(*), min(c.fetched_at), max(c.fetched_at)
FROM sameish.capture AS c JOIN sameish.scheme AS s ON s.id = c.scheme_id GROUP BY s.id ORDER BY s.id

-- name: size_bytes
-- What all tables and their indexes take on the disk.
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c
WHERE c.relnamespace = 'sameish'::regnamespace AND c.relkind = 'r'

-- name: all_captures
-- What is checked of every capture.
SELECT c.id, c.fingerprint, c.simhash, c.digest, c.state, c.good, s.name, c.match_id, t.capture_id, t.markdown,
       t.sentences, c.verdict, c.fetched_at
FROM sameish.capture AS c
LEFT JOIN sameish.scheme AS s ON s.id = c.scheme_id LEFT JOIN sameish.capture_text AS t ON t.capture_id = c.id
ORDER BY c.id

-- name: read_tables_only
-- From here to the end of the transaction read tables, not the indexes that should agree with them.
SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off; SET LOCAL enable_bitmapscan = off

-- name: duplicates
-- Identities that are there more than once.
SELECT min(id), max(id) FROM sameish.capture GROUP BY page_id, fetched_at, body_digest HAVING count(*) > 1

-- name: all_pages
-- What is checked of every page.
SELECT key, key_digest FROM sameish.page

-- name: empty_pages
-- Keys without a capture.
SELECT key FROM sameish.page AS p WHERE NOT EXISTS (SELECT 1 FROM sameish.capture WHERE page_id = p.id)

-- name: orphans
-- Captures whose key is missing.
SELECT id, page_id FROM sameish.capture AS c WHERE NOT EXISTS (SELECT 1 FROM sameish.page WHERE page.id = c.page_id)

-- name: unseen_pages
-- Keys of which last_seen does not fit their good captures, or is no time (beyond the year 9999).
SELECT p.key, p.last_seen, max(c.fetched_at)
FROM sameish.page AS p LEFT JOIN sameish.capture AS c ON c.page_id = p.id AND c.good
GROUP BY p.id HAVING (p.last_seen IS NULL) <> (count(c.id) = 0) OR p.last_seen < max(c.fetched_at)
    OR p.last_seen > 253402300799999999
