-- Decisions that are recorded before a run carries them in, with more than one person or by a role.
ALTER TABLE interrupt ADD COLUMN role TEXT;
ALTER TABLE interrupt ADD COLUMN needs INTEGER NOT NULL DEFAULT 1;
ALTER TABLE interrupt ADD COLUMN private BLOB NOT NULL DEFAULT x'';
CREATE INDEX interrupt_by_role ON interrupt (role, status) WHERE role IS NOT NULL;
CREATE INDEX interrupt_due ON interrupt (expires_at) WHERE status IS NULL AND expires_at IS NOT NULL;
CREATE INDEX interrupt_uncarried ON interrupt (decided_at) WHERE status IS NOT NULL AND decided_run IS NULL;

CREATE TABLE vote (
    key INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL,
    interrupt TEXT NOT NULL,
    made_by TEXT NOT NULL,
    at INTEGER NOT NULL,
    json BLOB NOT NULL,
    UNIQUE (thread, interrupt, made_by)
) STRICT;

-- The thread is not a key, since entries outlive it.
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    origin TEXT NOT NULL,
    owner TEXT NOT NULL,
    thread TEXT,
    interrupt TEXT,
    json BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX audit_by_owner ON audit (owner);
CREATE INDEX audit_by_thread ON audit (thread) WHERE thread IS NOT NULL;
CREATE INDEX audit_by_interrupt ON audit (interrupt) WHERE interrupt IS NOT NULL;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit trail can only grow');
END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit trail can only grow');
END;
-- Also keeps REPLACE out, which removes rows without asking the trigger above.
CREATE TRIGGER audit_has_no_gaps BEFORE INSERT ON audit
WHEN NEW.seq <> (SELECT ifnull(max(seq), 0) + 1 FROM audit) BEGIN
    SELECT RAISE(ABORT, 'the audit trail grows at its end');
END;

CREATE TABLE rule (
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    agent TEXT NOT NULL,
    tool TEXT NOT NULL,
    thread INTEGER,
    made_by TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (owner, id)
) STRICT;
CREATE INDEX rule_by_thread ON rule (thread) WHERE thread IS NOT NULL;
