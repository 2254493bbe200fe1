-- How often something may have been lost: a server that crashed forgets commits that did not wait for its disk.
CREATE TABLE incarnation (number bigint NOT NULL);
INSERT INTO incarnation VALUES (0);

-- Survives a server that is stopped in order and is emptied by one that recovers from a crash or takes over from another,
-- which is how we notice.
CREATE UNLOGGED TABLE alive (incarnation bigint NOT NULL);
INSERT INTO alive VALUES (0);
