-- A place is now the newest of a chain of blocks, from which `before` leads to the others. Many runs that say a token at
-- a time touched a page per run of an index of all that was fresh; the chains that grow are a row per thread.
INSERT INTO settled SELECT thread, last, block FROM fresh;
DROP TABLE fresh;
CREATE TABLE fresh (
    thread INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    block INTEGER NOT NULL,
    length INTEGER NOT NULL DEFAULT 1
) STRICT;
ALTER TABLE block ADD COLUMN before INTEGER;
