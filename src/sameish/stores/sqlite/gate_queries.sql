-- name: marks
-- The revision, which rises with every write for the gate, and the generation, which rises with every deletion.
SELECT revision, generation FROM meta

-- name: next_revision
-- Tell all who hold something of the gate in memory that more was written.
UPDATE meta SET revision = revision + 1

-- name: next_generation
-- Tell all who hold anything in memory that something was deleted.
UPDATE meta SET revision = revision + 1, generation = generation + 1

-- name: visit
-- What is known of a key.
SELECT key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state FROM visit WHERE key_hash = :key_hash

-- name: visits_of
-- Visits of a site written after a revision, those written last first, with a text in the URL and of some classes (a JSON array) if they are given.
SELECT key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state FROM visit
WHERE site = :site AND revision > :after AND (:text IS NULL OR instr(lower(url), :text) > 0)
  AND (:classes IS NULL OR class_hash IN (SELECT value FROM json_each(:classes)))
ORDER BY revision DESC LIMIT :limit

-- name: visit_rows
-- The next visits after a place in the covering index, up to a revision.
SELECT key_hash, class_hash, due_at, body_bytes, revision FROM visit INDEXED BY visit_row
WHERE (revision, class_hash, due_at, body_bytes, key_hash) > (?, ?, ?, ?, ?) AND revision <= ?
ORDER BY revision, class_hash, due_at, body_bytes, key_hash LIMIT ?

-- name: site_state
-- The state of a site.
SELECT site, state, revision FROM site_state WHERE site = :site

-- name: site_states
-- The states of sites written after a revision.
SELECT site, state, revision FROM site_state WHERE revision > :after ORDER BY revision

-- name: ledger
-- The sums by site and name.
SELECT site, name, requests, size_bytes FROM ledger ORDER BY site, name

-- name: dropped
-- What was dropped, oldest first, on a site if one is given, by some rules (a JSON array) if they are given.
SELECT key_hash, site, url, rule, at, request FROM dropped
WHERE (:site IS NULL OR site = :site) AND (:rules IS NULL OR rule IN (SELECT value FROM json_each(:rules)))
ORDER BY at, key_hash

-- name: stored_body
-- The body kept for a key.
SELECT key_hash, site, url, status, headers, frame, fetched_at FROM body WHERE key_hash = :key_hash

-- name: put_site_state
-- Write the state of a site.
INSERT INTO site_state (site, state, revision) VALUES (:site, :state, :revision)
ON CONFLICT (site) DO UPDATE SET state = excluded.state, revision = excluded.revision

-- name: put_visit
-- Write what is known of a key.
INSERT INTO visit (key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state, revision)
VALUES (:key_hash, :class_hash, :site, :url, :due_at, :body_bytes, :digest, :capture_id, :state, :revision)
ON CONFLICT (key_hash) DO UPDATE SET
    class_hash = excluded.class_hash, site = excluded.site, url = excluded.url, due_at = excluded.due_at,
    body_bytes = excluded.body_bytes, digest = excluded.digest, capture_id = excluded.capture_id,
    state = excluded.state, revision = excluded.revision

-- name: reclass
-- Give a visit another class.
UPDATE visit SET class_hash = :class_hash, revision = :revision WHERE key_hash = :key_hash AND class_hash <> :class_hash

-- name: add_to_ledger
-- Add to a sum.
INSERT INTO ledger (site, name, requests, size_bytes) VALUES (:site, :name, :requests, :size_bytes)
ON CONFLICT (site, name) DO UPDATE SET
    requests = requests + excluded.requests, size_bytes = size_bytes + excluded.size_bytes

-- name: put_dropped
-- Note a URL that was dropped.
INSERT INTO dropped (key_hash, site, url, rule, at, request) VALUES (:key_hash, :site, :url, :rule, :at, :request)
ON CONFLICT (key_hash) DO UPDATE SET
    site = excluded.site, url = excluded.url, rule = excluded.rule, at = excluded.at, request = excluded.request

-- name: put_body
-- Keep a body.
INSERT INTO body (key_hash, site, url, status, fetched_at, revision, size_bytes, headers, frame)
VALUES (:key_hash, :site, :url, :status, :fetched_at, :revision, :size_bytes, :headers, :frame)

-- name: body_size
-- What a body takes.
SELECT size_bytes FROM body WHERE key_hash = :key_hash

-- name: oldest_bodies
-- Bodies and what they take, that written first first.
SELECT key_hash, size_bytes FROM body INDEXED BY body_revision ORDER BY revision

-- name: body_bytes
-- What all bodies take together, as noted.
SELECT body_bytes FROM meta

-- name: note_body_bytes
-- Note what all bodies take together.
UPDATE meta SET body_bytes = :size_bytes

-- name: count_body_bytes
-- Note what all bodies take together, counted anew.
UPDATE meta SET body_bytes = (SELECT coalesce(sum(size_bytes), 0) FROM body INDEXED BY body_revision)

-- name: drop_old_leases
-- Delete leases that have run out.
DELETE FROM lease WHERE until <= :now

-- name: take_lease
-- Take a lease that nobody has, or prolong one's own.
INSERT INTO lease (key_hash, owner, until) VALUES (:key_hash, :owner, :until)
ON CONFLICT (key_hash) DO UPDATE SET until = excluded.until WHERE owner = excluded.owner

-- name: release_lease
-- Give one's own lease back.
DELETE FROM lease WHERE key_hash = :key_hash AND owner = :owner

-- name: emptied_keys
-- Keys without a capture left, before they are deleted.
SELECT key FROM page WHERE NOT EXISTS (SELECT 1 FROM capture WHERE page_id = page.id)

-- name: delete_visit
-- Delete what is known of a key.
DELETE FROM visit WHERE key_hash = ?

-- name: delete_dropped
-- Delete a URL that was dropped.
DELETE FROM dropped WHERE key_hash = ?

-- name: delete_body
-- Delete the body of a key.
DELETE FROM body WHERE key_hash = ?

-- name: forget_visits
-- Delete visits that match key and site, as far as they are given, found in a narrow index.
DELETE FROM visit WHERE key_hash IN (
    SELECT key_hash FROM visit INDEXED BY visit_site
    WHERE (:key_hash IS NULL OR key_hash = :key_hash) AND (:site IS NULL OR site = :site))

-- name: forget_dropped
-- Delete URLs that were dropped and match key and site, as far as they are given, found in a narrow index.
DELETE FROM dropped WHERE key_hash IN (
    SELECT key_hash FROM dropped INDEXED BY dropped_site
    WHERE (:key_hash IS NULL OR key_hash = :key_hash) AND (:site IS NULL OR site = :site))

-- name: forget_bodies
-- Delete bodies that match all conditions that are given, found in a narrow index.
DELETE FROM body WHERE key_hash IN (
    SELECT key_hash FROM body INDEXED BY body_site
    WHERE (:key_hash IS NULL OR key_hash = :key_hash) AND (:site IS NULL OR site = :site)
      AND (:before IS NULL OR fetched_at < :before))

-- name: forget_site_state
-- Delete the state of a site.
DELETE FROM site_state WHERE site = :site

-- name: loosen_visits
-- Take the capture from visits whose capture is not there any more.
UPDATE visit SET digest = NULL, capture_id = NULL, revision = (SELECT revision FROM meta)
WHERE capture_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM capture WHERE capture.id = visit.capture_id)

-- name: loosen_among
-- Take the capture from visits that name one of some (a JSON array of ids) that is not there any more.
UPDATE visit SET digest = NULL, capture_id = NULL, revision = (SELECT revision FROM meta)
WHERE capture_id IN (SELECT value FROM json_each(:ids))
  AND NOT EXISTS (SELECT 1 FROM capture WHERE capture.id = visit.capture_id)

-- name: idle_visits
-- Visits without a capture that were due before a time.
SELECT v.key_hash FROM visit AS v INDEXED BY visit_row WHERE v.due_at < :before AND v.capture_id IS NULL LIMIT :limit

-- name: expire_visits
-- Delete those of some visits (a JSON array of hashes) that have no capture and were due before a time.
DELETE FROM visit
WHERE key_hash IN (SELECT value FROM json_each(:key_hashes)) AND due_at < :before AND capture_id IS NULL

-- name: old_dropped
-- URLs that were dropped before a time.
SELECT key_hash FROM dropped INDEXED BY dropped_site WHERE at < :before LIMIT :limit

-- name: expire_dropped
-- Delete those of some URLs (a JSON array of hashes) that were dropped before a time.
DELETE FROM dropped WHERE key_hash IN (SELECT value FROM json_each(:key_hashes)) AND at < :before

-- name: all_visits
-- What is checked of every visit; the last says whether its capture is missing.
SELECT key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state, revision,
       capture_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM capture WHERE capture.id = visit.capture_id)
FROM visit NOT INDEXED

-- name: all_site_states
-- What is checked of the state of every site.
SELECT site, state, revision FROM site_state NOT INDEXED

-- name: all_dropped
-- What is checked of every URL that was dropped.
SELECT key_hash, site, url, rule, at, request FROM dropped NOT INDEXED

-- name: counted_body_bytes
-- What all bodies take together, counted anew.
SELECT coalesce(sum(size_bytes), 0) FROM body NOT INDEXED

-- name: all_bodies
-- What is checked of every body.
SELECT key_hash, site, url, status, headers, frame, fetched_at, size_bytes, revision FROM body NOT INDEXED

-- name: all_leases
-- What is checked of every lease.
SELECT key_hash, owner, until FROM lease
