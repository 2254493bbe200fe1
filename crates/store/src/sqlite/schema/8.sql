-- Links by which somebody may read a thread that is not theirs. What opens them is kept as a hash.
CREATE TABLE share (
    thread INTEGER NOT NULL,
    id TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    made_by TEXT NOT NULL,
    at INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (thread, id)
) STRICT, WITHOUT ROWID;
