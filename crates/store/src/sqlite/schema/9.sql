-- How often the end of the log may have been lost, and the start of the machine in which that can happen next.
CREATE TABLE life (
    incarnation INTEGER NOT NULL,
    boot TEXT
) STRICT;
INSERT INTO life (incarnation, boot) VALUES (0, NULL);
