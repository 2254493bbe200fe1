-- Whether somebody has to look at the answers on a thread before they are shown.
ALTER TABLE thread ADD COLUMN review INTEGER NOT NULL DEFAULT 0;
