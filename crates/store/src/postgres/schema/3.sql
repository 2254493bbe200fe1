-- What people and agents wrote, message by message, for search. `folded` is the text in lower case.
CREATE TABLE utterance (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    thread bigint NOT NULL,
    message text NOT NULL,
    by_person boolean NOT NULL,
    text text NOT NULL,
    folded text NOT NULL,
    UNIQUE (thread, message)
);
