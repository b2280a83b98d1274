-- name: marks
-- The revision, which rises with every write for the gate, and the generation, which rises with every deletion.
SELECT revision, generation FROM sameish.meta

-- name: next_revision
-- Tell all who hold something of the gate in memory that more was written.
UPDATE sameish.meta SET revision = revision + 1 RETURNING revision

-- name: next_generation
-- Tell all who hold anything in memory that something was deleted.
UPDATE sameish.meta SET revision = revision + 1, generation = generation + 1

-- name: visits
-- What is known of keys.
SELECT key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state FROM sameish.visit
WHERE key_hash = ANY(%(key_hashes)s::bigint[])

-- name: visits_of
-- Visits of a site written after a revision, those written last first, with a text in the URL and of some classes if they are given.
SELECT key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state FROM sameish.visit
WHERE "left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s AND revision > %(after)s
  AND (%(text)s::text IS NULL OR strpos(lower(url), %(text)s) > 0)
  AND (%(classes)s::bigint[] IS NULL OR class_hash = ANY(%(classes)s))
ORDER BY revision DESC LIMIT %(limit)s

-- name: visit_rows
-- The next visits after a place in the covering index, up to a revision.
SELECT key_hash, class_hash, due_at, body_bytes, revision FROM sameish.visit
WHERE (revision, class_hash, due_at, body_bytes, key_hash)
      > (%(revision)s, %(class_hash)s, %(due_at)s, %(body_bytes)s, %(key_hash)s) AND revision <= %(until)s
ORDER BY revision, class_hash, due_at, body_bytes, key_hash LIMIT %(limit)s

-- name: site_state
-- The state of a site.
SELECT site, state, revision FROM sameish.site_state WHERE site_digest = %(site_digest)s

-- name: site_states
-- The states of sites written after a revision.
SELECT site, state, revision FROM sameish.site_state WHERE revision > %(after)s ORDER BY revision

-- name: ledger
-- The sums by site and name.
SELECT site, name, requests, size_bytes FROM sameish.ledger ORDER BY site, name

-- name: dropped
-- What was dropped, oldest first, on a site if one is given, by some rules if they are given.
SELECT key_hash, site, url, rule, at, request FROM sameish.dropped
WHERE (%(site)s::text IS NULL OR ("left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s))
  AND (%(rules)s::text[] IS NULL OR rule = ANY(%(rules)s))
ORDER BY at, key_hash

-- name: stored_body
-- The body kept for a key.
SELECT key_hash, site, url, status, headers, frame, fetched_at FROM sameish.body WHERE key_hash = %(key_hash)s

-- name: put_site_state
-- Write the state of a site.
INSERT INTO sameish.site_state (site_digest, site, state, revision)
VALUES (%(site_digest)s, %(site)s, %(state)s, %(revision)s)
ON CONFLICT (site_digest) DO UPDATE SET state = excluded.state, revision = excluded.revision

-- name: put_visit
-- Write what is known of a key.
INSERT INTO sameish.visit (key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state, revision)
VALUES (%(key_hash)s, %(class_hash)s, %(site)s, %(url)s, %(due_at)s, %(body_bytes)s, %(digest)s, %(capture_id)s, %(state)s,
        %(revision)s)
ON CONFLICT (key_hash) DO UPDATE SET
    class_hash = excluded.class_hash, site = excluded.site, url = excluded.url, due_at = excluded.due_at,
    body_bytes = excluded.body_bytes, digest = excluded.digest, capture_id = excluded.capture_id,
    state = excluded.state, revision = excluded.revision

-- name: reclass
-- Give visits other classes.
UPDATE sameish.visit AS v SET class_hash = n.class_hash, revision = %(revision)s
FROM unnest(%(key_hashes)s::bigint[], %(class_hashes)s::bigint[]) AS n (key_hash, class_hash)
WHERE v.key_hash = n.key_hash AND v.class_hash <> n.class_hash

-- name: add_to_ledger
-- Add to a sum.
INSERT INTO sameish.ledger AS l (site_digest, name, site, requests, size_bytes)
VALUES (%(site_digest)s, %(name)s, %(site)s, %(requests)s, %(size_bytes)s)
ON CONFLICT (site_digest, name) DO UPDATE SET
    requests = l.requests + excluded.requests, size_bytes = l.size_bytes + excluded.size_bytes

-- name: put_dropped
-- Note a URL that was dropped.
INSERT INTO sameish.dropped (key_hash, site, url, rule, at, request)
VALUES (%(key_hash)s, %(site)s, %(url)s, %(rule)s, %(at)s, %(request)s)
ON CONFLICT (key_hash) DO UPDATE SET
    site = excluded.site, url = excluded.url, rule = excluded.rule, at = excluded.at, request = excluded.request

-- name: put_body
-- Keep a body.
INSERT INTO sameish.body (key_hash, site, url, status, fetched_at, revision, size_bytes, headers, frame)
VALUES (%(key_hash)s, %(site)s, %(url)s, %(status)s, %(fetched_at)s, %(revision)s, %(size_bytes)s, %(headers)s, %(frame)s)

-- name: body_bytes
-- What all bodies take together, as noted.
SELECT body_bytes FROM sameish.meta

-- name: note_body_bytes
-- Note what all bodies take together.
UPDATE sameish.meta SET body_bytes = %(size_bytes)s

-- name: count_body_bytes
-- Note what all bodies take together, counted anew.
UPDATE sameish.meta SET body_bytes = (SELECT coalesce(sum(size_bytes), 0) FROM sameish.body)

-- name: oldest_bodies
-- Some of the bodies that were written first, and what they take; that written first first.
SELECT key_hash, size_bytes FROM sameish.body ORDER BY revision LIMIT %(limit)s

-- name: drop_old_leases
-- Delete leases that have run out, but for those that somebody else is deleting.
DELETE FROM sameish.lease
WHERE key_hash IN (SELECT key_hash FROM sameish.lease WHERE until <= %(now)s FOR UPDATE SKIP LOCKED)

-- name: take_lease
-- Take a lease that nobody has, or that has run out, or prolong one's own.
INSERT INTO sameish.lease AS l (key_hash, owner, until) VALUES (%(key_hash)s, %(owner)s, %(until)s)
ON CONFLICT (key_hash) DO UPDATE SET owner = excluded.owner, until = excluded.until
WHERE l.owner = excluded.owner OR l.until <= %(now)s

-- name: release_lease
-- Give one's own lease back.
DELETE FROM sameish.lease WHERE key_hash = %(key_hash)s AND owner = %(owner)s

-- name: emptied_keys
-- Keys without a capture left, before they are deleted.
SELECT key FROM sameish.page AS p WHERE NOT EXISTS (SELECT 1 FROM sameish.capture WHERE page_id = p.id)

-- name: delete_visits
-- Delete what is known of keys.
DELETE FROM sameish.visit WHERE key_hash = ANY(%(key_hashes)s::bigint[])

-- name: delete_dropped
-- Delete URLs that were dropped.
DELETE FROM sameish.dropped WHERE key_hash = ANY(%(key_hashes)s::bigint[])

-- name: delete_bodies
-- Delete the bodies of keys and return what each took.
DELETE FROM sameish.body WHERE key_hash = ANY(%(key_hashes)s::bigint[]) RETURNING size_bytes

-- name: forget_visits
-- Delete visits that match key and site, as far as they are given.
DELETE FROM sameish.visit WHERE (%(key_hash)s::bigint IS NULL OR key_hash = %(key_hash)s)
  AND (%(site)s::text IS NULL OR ("left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s))

-- name: forget_dropped
-- Delete URLs that were dropped and match key and site, as far as they are given.
DELETE FROM sameish.dropped WHERE (%(key_hash)s::bigint IS NULL OR key_hash = %(key_hash)s)
  AND (%(site)s::text IS NULL OR ("left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s))

-- name: forget_bodies
-- Delete bodies that match all conditions that are given.
DELETE FROM sameish.body WHERE (%(key_hash)s::bigint IS NULL OR key_hash = %(key_hash)s)
  AND (%(site)s::text IS NULL OR ("left"(site, 500) = "left"(%(site)s, 500) AND site = %(site)s))
  AND (%(before)s::bigint IS NULL OR fetched_at < %(before)s)

-- name: forget_site_state
-- Delete the state of a site.
DELETE FROM sameish.site_state WHERE site_digest = %(site_digest)s

-- name: loosen_visits
-- Take the capture from visits whose capture is not there any more.
UPDATE sameish.visit AS v SET digest = NULL, capture_id = NULL, revision = (SELECT revision FROM sameish.meta)
WHERE capture_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sameish.capture WHERE capture.id = v.capture_id)

-- name: loosen_among
-- Take the capture from visits that name one of some that is not there any more.
UPDATE sameish.visit AS v SET digest = NULL, capture_id = NULL, revision = (SELECT revision FROM sameish.meta)
WHERE capture_id = ANY(%(ids)s::bigint[])
  AND NOT EXISTS (SELECT 1 FROM sameish.capture WHERE capture.id = v.capture_id)

-- name: idle_visits
-- Visits without a capture that were due before a time.
SELECT key_hash FROM sameish.visit WHERE due_at < %(before)s AND capture_id IS NULL LIMIT %(limit)s

-- name: expire_visits
-- Delete those of some visits that have no capture and were due before a time.
DELETE FROM sameish.visit WHERE key_hash = ANY(%(key_hashes)s::bigint[]) AND due_at < %(before)s AND capture_id IS NULL

-- name: old_dropped
-- URLs that were dropped before a time.
SELECT key_hash FROM sameish.dropped WHERE at < %(before)s LIMIT %(limit)s

-- name: expire_dropped
-- Delete those of some URLs that were dropped before a time.
DELETE FROM sameish.dropped WHERE key_hash = ANY(%(key_hashes)s::bigint[]) AND at < %(before)s

-- name: all_visits
-- What is checked of every visit; the last says whether its capture is missing.
SELECT key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state, revision,
       capture_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sameish.capture WHERE capture.id = v.capture_id)
FROM sameish.visit AS v

-- name: all_site_states
-- What is checked of the state of every site.
SELECT site, state, revision FROM sameish.site_state

-- name: all_dropped
-- What is checked of every URL that was dropped.
SELECT key_hash, site, url, rule, at, request FROM sameish.dropped

-- name: counted_body_bytes
-- What all bodies take together, counted anew.
SELECT coalesce(sum(size_bytes), 0)::bigint FROM sameish.body

-- name: all_bodies
-- What is checked of every body.
SELECT key_hash, site, url, status, headers, frame, fetched_at, size_bytes, revision FROM sameish.body

-- name: all_leases
-- What is checked of every lease.
SELECT key_hash, owner, until FROM sameish.lease
