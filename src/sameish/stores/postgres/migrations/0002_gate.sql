-- What is kept for decisions before the fetch. Hashes are the signed twins of unsigned 64-bit values.

-- Rises with every transaction that writes for the gate, and every deletion.
ALTER TABLE sameish.meta ADD COLUMN revision bigint NOT NULL DEFAULT 0;
-- The sum of body.size_bytes, which must stay within the budget.
ALTER TABLE sameish.meta ADD COLUMN body_bytes bigint NOT NULL DEFAULT 0;

-- A canonical key that was fetched, under the hash of the key; revision: of the transaction that wrote it last.
CREATE TABLE sameish.visit (
    key_hash   bigint PRIMARY KEY,
    class_hash bigint NOT NULL,
    due_at     bigint NOT NULL,
    body_bytes bigint NOT NULL,
    capture_id bigint,  -- no foreign key: it may name what was never here; `forget` and `verify` see to it
    revision   bigint NOT NULL,
    site       text COLLATE "C" NOT NULL,
    url        text COLLATE "C" NOT NULL,
    digest     bytea,
    state      bytea NOT NULL
);

-- Covers what a gate loads, in the order in which it is walked through: the wide rows are not read.
CREATE INDEX visit_row ON sameish.visit (revision, class_hash, due_at, body_bytes, key_hash);
CREATE INDEX visit_site ON sameish.visit ("left"(site, 500), revision);

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
