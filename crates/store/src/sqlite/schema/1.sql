CREATE TABLE thread (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    agent TEXT NOT NULL,
    title TEXT,
    archived INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    head TEXT,
    runs INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    fence INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    expires_at INTEGER
) STRICT;
CREATE INDEX thread_by_owner ON thread (owner, updated_at DESC, id DESC);

-- The events that one append added, so that a token costs no row of its own. Blocks lie in the order they came
-- in, whatever their thread, so that those of one commit fill few pages. `spans` is there once the run is
-- compacted.
CREATE TABLE block (
    key INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    run TEXT NOT NULL,
    body BLOB NOT NULL,
    spans BLOB
) STRICT;
-- Where the blocks of a thread are. Places are found here, `fresh` until a run of the thread ends and `settled`
-- after: a commit of many threads touches a page per thread of an index of everything, and a few pages of one
-- that has only what is under way.
CREATE TABLE fresh (
    thread INTEGER NOT NULL,
    last INTEGER NOT NULL,
    block INTEGER NOT NULL,
    PRIMARY KEY (thread, last)
) STRICT, WITHOUT ROWID;
CREATE TABLE settled (
    thread INTEGER NOT NULL,
    last INTEGER NOT NULL,
    block INTEGER NOT NULL,
    PRIMARY KEY (thread, last)
) STRICT, WITHOUT ROWID;

-- `last` counts once the run has ended.
CREATE TABLE run (
    thread INTEGER NOT NULL,
    id TEXT NOT NULL,
    agent TEXT NOT NULL,
    parent TEXT,
    request_hash INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER,
    ended TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    compacted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (thread, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_open ON run (thread) WHERE ended IS NULL;
CREATE INDEX run_uncompacted ON run (ended_at) WHERE ended IS NOT NULL AND compacted = 0;

CREATE TABLE snapshot (
    thread INTEGER NOT NULL,
    run TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (thread, run)
) STRICT;

-- The owner is the thread's, so that an inbox is one index.
CREATE TABLE interrupt (
    thread INTEGER NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    run TEXT NOT NULL,
    json BLOB NOT NULL,
    opened_at INTEGER NOT NULL,
    expires_at INTEGER,
    status TEXT,
    answer BLOB,
    decided_by TEXT,
    decided_at INTEGER,
    decided_run TEXT,
    PRIMARY KEY (thread, id)
) STRICT;
CREATE INDEX interrupt_pending ON interrupt (owner, opened_at) WHERE status IS NULL;
CREATE INDEX interrupt_by_id ON interrupt (id, owner);

CREATE TABLE annotation (
    thread INTEGER NOT NULL,
    id TEXT NOT NULL,
    run TEXT,
    message TEXT,
    kind TEXT NOT NULL,
    json BLOB NOT NULL,
    made_by TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (thread, id)
) STRICT;
