-- What tools remember of somebody, on whatever thread.
CREATE TABLE note (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    body BLOB NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (owner, name)
) WITHOUT ROWID;
