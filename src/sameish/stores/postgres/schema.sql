-- Format 3: what all migrations together make; a new store is made from this. Times are whole microseconds since 1970 UTC.

CREATE SCHEMA IF NOT EXISTS sameish;

CREATE TABLE sameish.meta (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    format     integer NOT NULL,           -- the number of the last migration
    generation bigint NOT NULL DEFAULT 0,  -- rises with every deletion: what others hold in memory is then stale
    made_by    text NOT NULL,
    revision   bigint NOT NULL DEFAULT 0,  -- rises with every transaction that writes for the gate, and every deletion
    body_bytes bigint NOT NULL DEFAULT 0   -- the sum of body.size_bytes, which must stay within the budget
) WITH (fillfactor = 10);  -- the one row is written often: room for its versions beside it

CREATE TABLE sameish.scheme (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE
);

-- A canonical key, and what is seen of it; last_seen is NULL while the key never answered well. Found by key_digest
-- (BLAKE2b, 16 bytes), for an index takes no text of more than 2,700 bytes.
CREATE TABLE sameish.page (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key           text COLLATE "C" NOT NULL,
    key_digest    bytea NOT NULL UNIQUE,
    url           text COLLATE "C",
    site          text COLLATE "C",
    last_seen     bigint,
    etag          text COLLATE "C",
    last_modified text COLLATE "C",
    not_modified  bigint NOT NULL DEFAULT 0
);

-- Ids are given one writer at a time (see locks.py), so they rise in the order of the commits and are never given
-- twice: "rows above the last id" are exactly the new ones.
CREATE TABLE sameish.capture (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    page_id       bigint NOT NULL REFERENCES sameish.page (id),
    scheme_id     bigint NOT NULL REFERENCES sameish.scheme (id),
    fetched_at    bigint NOT NULL,
    simhash       bigint,            -- the signed twin of the unsigned 64-bit value
    match_id      bigint,            -- no foreign key: it says what was found then, which may be forgotten since
    body_bytes    bigint NOT NULL,
    status        bigint NOT NULL,
    good          boolean NOT NULL,  -- the page answered well; only such captures are found
    state         text COLLATE "C" NOT NULL,
    verdict       text COLLATE "C" NOT NULL,
    digest        bytea NOT NULL,
    body_digest   bytea NOT NULL,
    site          text COLLATE "C" NOT NULL,
    url           text COLLATE "C" NOT NULL,
    title         text COLLATE "C" NOT NULL,
    canonical_url text COLLATE "C",
    etag          text COLLATE "C",
    last_modified text COLLATE "C",
    fingerprint   bytea NOT NULL,
    UNIQUE (page_id, fetched_at, body_digest)
);
ALTER TABLE sameish.capture ALTER COLUMN fingerprint SET STORAGE EXTERNAL;  -- hashes: nothing to compress

-- With scheme and page: of many captures of one page only one is looked at.
CREATE INDEX capture_digest ON sameish.capture (digest, scheme_id, page_id) WHERE good;
CREATE INDEX capture_site ON sameish.capture ("left"(site, 500), fetched_at);

-- Two hashes that differ in at most 3 bits have one of four blocks of 16 bits in common; of more, a block that is near.
-- Not partial: the planner takes statistics of an expression from whole indexes only. With what decides the distance:
-- rows that only share a block are not read.
CREATE INDEX capture_block_1 ON sameish.capture ((((simhash >> 48) & 65535)::integer)) INCLUDE (simhash, id);
CREATE INDEX capture_block_2 ON sameish.capture ((((simhash >> 32) & 65535)::integer)) INCLUDE (simhash, id);
CREATE INDEX capture_block_3 ON sameish.capture ((((simhash >> 16) & 65535)::integer)) INCLUDE (simhash, id);
CREATE INDEX capture_block_4 ON sameish.capture (((simhash & 65535)::integer)) INCLUDE (simhash, id);

-- Apart from capture, so that look-ups do not read past texts. zlib; NULL where not kept.
CREATE TABLE sameish.capture_text (
    capture_id bigint PRIMARY KEY REFERENCES sameish.capture (id) ON DELETE CASCADE,
    markdown   bytea,
    sentences  bytea
);
ALTER TABLE sameish.capture_text ALTER COLUMN markdown SET STORAGE EXTERNAL;
ALTER TABLE sameish.capture_text ALTER COLUMN sentences SET STORAGE EXTERNAL;

-- The columns of a capture in the order in which stores/rows.py reads them, then those that queries choose by.
CREATE VIEW sameish.capture_row AS
SELECT c.id, p.key, c.url, c.site, c.fetched_at, c.body_digest, c.body_bytes, c.status, c.fingerprint, c.title,
       c.canonical_url, c.etag, c.last_modified, c.verdict, c.match_id,
       c.page_id, c.scheme_id, c.good, c.digest
FROM sameish.capture AS c JOIN sameish.page AS p ON p.id = c.page_id;

-- From here on: what is kept for decisions before the fetch. Hashes are the signed twins of unsigned 64-bit values.

-- A canonical key that was fetched, under the hash of the key; revision: of the transaction that wrote it last.
CREATE TABLE sameish.visit (
    key_hash   bigint PRIMARY KEY,
    class_hash bigint NOT NULL,
    due_at     bigint NOT NULL,
    body_bytes bigint NOT NULL,
    capture_id bigint,  -- no foreign key: it may name what was never here; `forget`, `expire` and `verify` see to it
    revision   bigint NOT NULL,
    site       text COLLATE "C" NOT NULL,
    url        text COLLATE "C" NOT NULL,
    digest     bytea,
    state      bytea NOT NULL
);

-- Covers what a gate loads, in the order in which it is walked through: the wide rows are not read.
CREATE INDEX visit_row ON sameish.visit (revision, class_hash, due_at, body_bytes, key_hash);
CREATE INDEX visit_site ON sameish.visit ("left"(site, 500), revision);
-- URLs that were redirected to a page name its capture, too.
CREATE INDEX visit_capture ON sameish.visit (capture_id);

-- Found by site_digest (BLAKE2b, 16 bytes), for an index takes no text of more than 2,700 bytes.
CREATE TABLE sameish.site_state (
    site_digest bytea PRIMARY KEY,
    site        text COLLATE "C" NOT NULL,
    revision    bigint NOT NULL,
    state       bytea NOT NULL
);
CREATE INDEX site_state_revision ON sameish.site_state (revision);

-- Sums: rows are added to, never counted anew.
CREATE TABLE sameish.ledger (
    site_digest bytea NOT NULL,
    name        text COLLATE "C" NOT NULL,
    site        text COLLATE "C" NOT NULL,
    requests    bigint NOT NULL,
    size_bytes  bigint NOT NULL,
    PRIMARY KEY (site_digest, name)
);

-- URLs that were not fetched because of a rule, so that a revoked rule gives them back.
CREATE TABLE sameish.dropped (
    key_hash bigint PRIMARY KEY,
    at       bigint NOT NULL,
    site     text COLLATE "C" NOT NULL,
    url      text COLLATE "C" NOT NULL,
    rule     text COLLATE "C" NOT NULL,
    request  bytea NOT NULL
);
CREATE INDEX dropped_site ON sameish.dropped ("left"(site, 500), at);

-- Who fetches a key at this moment.
CREATE TABLE sameish.lease (
    key_hash bigint PRIMARY KEY,
    until    bigint NOT NULL,
    owner    text COLLATE "C" NOT NULL
);

-- Bodies to answer with; frame: Zstandard with a checksum, headers: MessagePack. revision orders them: the lowest goes first.
CREATE TABLE sameish.body (
    key_hash   bigint PRIMARY KEY,
    status     bigint NOT NULL,
    fetched_at bigint NOT NULL,
    revision   bigint NOT NULL,
    size_bytes bigint NOT NULL,
    site       text COLLATE "C" NOT NULL,
    url        text COLLATE "C" NOT NULL,
    headers    bytea NOT NULL,
    frame      bytea NOT NULL
);
ALTER TABLE sameish.body ALTER COLUMN frame SET STORAGE EXTERNAL;

-- Both cover what is asked without the bodies: which is the oldest, what they sum up to, which are forgotten.
CREATE INDEX body_revision ON sameish.body (revision, size_bytes);
CREATE INDEX body_site ON sameish.body ("left"(site, 500), fetched_at);
