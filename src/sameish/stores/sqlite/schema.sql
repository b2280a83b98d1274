-- Format 2. Times are whole microseconds since 1970 UTC. The numbers in the head of the file (application_id,
-- user_version) are written by opening.py, in the transaction that runs this.

CREATE TABLE meta (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    generation INTEGER NOT NULL DEFAULT 0,  -- rises with every deletion: what others hold in memory is then stale
    revision   INTEGER NOT NULL DEFAULT 0,  -- rises with every transaction that writes for the gate, and every deletion
    body_bytes INTEGER NOT NULL DEFAULT 0,  -- the sum of body.size_bytes, which must stay within the budget
    made_by    TEXT NOT NULL
);

CREATE TABLE scheme (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- A canonical key, and what is seen of it; last_seen is NULL while the key never answered well.
CREATE TABLE page (
    id            INTEGER PRIMARY KEY,
    key           TEXT NOT NULL UNIQUE,
    url           TEXT,
    site          TEXT,
    last_seen     INTEGER,
    etag          TEXT,
    last_modified TEXT,
    not_modified  INTEGER NOT NULL DEFAULT 0
);

-- AUTOINCREMENT: an id is never given twice, so "rows above the last id" are exactly the new ones.
CREATE TABLE capture (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    page_id       INTEGER NOT NULL REFERENCES page (id),
    scheme_id     INTEGER NOT NULL REFERENCES scheme (id),
    site          TEXT NOT NULL,
    fetched_at    INTEGER NOT NULL,
    good          INTEGER NOT NULL CHECK (good IN (0, 1)),  -- the page answered well; only such captures are found
    state         TEXT NOT NULL,
    simhash       INTEGER,  -- the signed twin of the unsigned 64-bit value
    digest        BLOB NOT NULL,
    fingerprint   BLOB NOT NULL,
    verdict       TEXT NOT NULL,
    match_id      INTEGER,  -- no foreign key: it says what was found then, which may be forgotten since
    body_digest   BLOB NOT NULL,
    body_bytes    INTEGER NOT NULL,
    status        INTEGER NOT NULL,
    url           TEXT NOT NULL,
    title         TEXT NOT NULL,
    canonical_url TEXT,
    etag          TEXT,
    last_modified TEXT,
    UNIQUE (page_id, fetched_at, body_digest)
);

-- With scheme and page: of many captures of one page only one is looked at.
CREATE INDEX capture_digest ON capture (digest, scheme_id, page_id) WHERE good = 1;

-- Covers what the in-memory index is built from and what totals are summed over: neither reads the wide rows.
CREATE INDEX capture_site ON capture (site, fetched_at, good, scheme_id, page_id, simhash, verdict, body_bytes);

-- Apart from capture, so that look-ups do not read past texts. zlib; NULL where not kept.
CREATE TABLE capture_text (
    capture_id INTEGER PRIMARY KEY REFERENCES capture (id) ON DELETE CASCADE,
    markdown   BLOB,
    sentences  BLOB
);

-- The columns of a capture in the order in which rows.py reads them, then those that queries choose by.
CREATE VIEW capture_row AS
SELECT c.id, p.key, c.url, c.site, c.fetched_at, c.body_digest, c.body_bytes, c.status, c.fingerprint, c.title,
       c.canonical_url, c.etag, c.last_modified, c.verdict, c.match_id,
       c.page_id, c.scheme_id, c.good, c.digest
FROM capture AS c JOIN page AS p ON p.id = c.page_id;

-- From here on: what is kept for decisions before the fetch. Hashes are the signed twins of unsigned 64-bit values.

-- A canonical key that was fetched, under the hash of the key; revision: of the transaction that wrote it last.
CREATE TABLE visit (
    key_hash   INTEGER PRIMARY KEY,
    class_hash INTEGER NOT NULL,
    site       TEXT NOT NULL,
    url        TEXT NOT NULL,
    due_at     INTEGER NOT NULL,
    body_bytes INTEGER NOT NULL,
    digest     BLOB,
    capture_id INTEGER,  -- no foreign key: it may name what was never here; `forget`, `expire` and `verify` see to it
    state      BLOB NOT NULL,
    revision   INTEGER NOT NULL
);

-- Covers what a gate loads, in the order in which it is walked through: the wide rows are not read.
CREATE INDEX visit_row ON visit (revision, class_hash, due_at, body_bytes);
CREATE INDEX visit_site ON visit (site, revision);
-- URLs that were redirected to a page name its capture, too. Files of format 2 that have no such index get it when opened.
CREATE INDEX IF NOT EXISTS visit_capture ON visit (capture_id);

CREATE TABLE site_state (
    site     TEXT PRIMARY KEY,
    state    BLOB NOT NULL,
    revision INTEGER NOT NULL
);
CREATE INDEX site_state_revision ON site_state (revision);

-- Sums: rows are added to, never counted anew.
CREATE TABLE ledger (
    site       TEXT NOT NULL,
    name       TEXT NOT NULL,
    requests   INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    PRIMARY KEY (site, name)
) WITHOUT ROWID;

-- URLs that were not fetched because of a rule, so that a revoked rule gives them back.
CREATE TABLE dropped (
    key_hash INTEGER PRIMARY KEY,
    site     TEXT NOT NULL,
    url      TEXT NOT NULL,
    rule     TEXT NOT NULL,
    at       INTEGER NOT NULL,
    request  BLOB NOT NULL
);
CREATE INDEX dropped_site ON dropped (site, at);

-- Who fetches a key at this moment.
CREATE TABLE lease (
    key_hash INTEGER PRIMARY KEY,
    owner    TEXT NOT NULL,
    until    INTEGER NOT NULL
);

-- Bodies to answer with; frame: Zstandard with a checksum, headers: MessagePack. revision orders them: the lowest goes first.
CREATE TABLE body (
    key_hash   INTEGER PRIMARY KEY,
    site       TEXT NOT NULL,
    url        TEXT NOT NULL,
    status     INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    headers    BLOB NOT NULL,
    frame      BLOB NOT NULL
);

-- Both cover what is asked without the bodies: which is the oldest, what they sum up to, which are forgotten.
CREATE INDEX body_revision ON body (revision, size_bytes);
CREATE INDEX body_site ON body (site, fetched_at);
