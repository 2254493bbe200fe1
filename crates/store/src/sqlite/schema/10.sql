-- What people and agents wrote, message by message, for search. `folded` is the text in lower case.
CREATE TABLE utterance (
    number INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL,
    message TEXT NOT NULL,
    by_person INTEGER NOT NULL,
    text TEXT NOT NULL,
    folded TEXT NOT NULL,
    UNIQUE (thread, message)
) STRICT;
