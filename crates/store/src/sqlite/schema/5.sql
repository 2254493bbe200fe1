-- What was allowed for a small risk is not allowed for a greater one.
ALTER TABLE rule ADD COLUMN risk TEXT NOT NULL DEFAULT 'low';
