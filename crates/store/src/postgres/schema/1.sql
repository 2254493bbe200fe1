-- Ids are compared byte by byte, as everywhere else. A thread's row changes with every append, so its page keeps room for
-- the next version of it: then no index has to change.
CREATE TABLE thread (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    owner text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    title text,
    archived boolean NOT NULL DEFAULT false,
    review boolean NOT NULL DEFAULT false,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    tail bigint NOT NULL DEFAULT 0,
    head text COLLATE "C",
    runs bigint NOT NULL DEFAULT 0,
    messages bigint NOT NULL DEFAULT 0,
    fence bigint NOT NULL DEFAULT 0,
    holder text,
    expires_at bigint
) WITH (fillfactor = 70);
CREATE INDEX thread_by_owner ON thread (owner, updated_at DESC, id DESC);

-- The events that one append added, so that a token costs no row of its own. `unpacked` is how long a body is that LZ4 made
-- shorter, `spans` is there once the run is compacted.
CREATE TABLE block (
    thread bigint NOT NULL,
    last bigint NOT NULL,
    first bigint NOT NULL,
    run text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    unpacked bigint,
    spans bytea,
    PRIMARY KEY (thread, last)
) WITH (toast_tuple_target = 8160);
-- It is packed already.
ALTER TABLE block ALTER COLUMN body SET STORAGE EXTERNAL;

-- `last` counts once the run has ended.
CREATE TABLE run (
    thread bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    parent text COLLATE "C",
    request_hash bigint NOT NULL,
    first bigint NOT NULL,
    last bigint,
    ended text COLLATE "C",
    started_at bigint NOT NULL,
    ended_at bigint,
    cancel_requested boolean NOT NULL DEFAULT false,
    compacted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (thread, id)
);
CREATE INDEX run_open ON run (thread) WHERE ended IS NULL;
CREATE INDEX run_uncompacted ON run (ended_at) WHERE ended IS NOT NULL AND NOT compacted;

CREATE TABLE snapshot (
    thread bigint NOT NULL,
    run text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (thread, run)
);

-- The owner is the thread's, so that an inbox is one index.
CREATE TABLE interrupt (
    thread bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL,
    run text COLLATE "C" NOT NULL,
    json bytea NOT NULL,
    private bytea NOT NULL,
    role text COLLATE "C",
    needs bigint NOT NULL,
    opened_at bigint NOT NULL,
    expires_at bigint,
    status text COLLATE "C",
    answer bytea,
    decided_by text,
    decided_at bigint,
    decided_run text COLLATE "C",
    PRIMARY KEY (thread, id)
);
CREATE INDEX interrupt_pending ON interrupt (owner, opened_at) WHERE status IS NULL;
CREATE INDEX interrupt_by_id ON interrupt (id, owner);
CREATE INDEX interrupt_by_role ON interrupt (role, status) WHERE role IS NOT NULL;
CREATE INDEX interrupt_due ON interrupt (expires_at) WHERE status IS NULL AND expires_at IS NOT NULL;
CREATE INDEX interrupt_uncarried ON interrupt (decided_at) WHERE status IS NOT NULL AND decided_run IS NULL;

CREATE TABLE vote (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    thread bigint NOT NULL,
    interrupt text COLLATE "C" NOT NULL,
    made_by text NOT NULL,
    at bigint NOT NULL,
    json bytea NOT NULL,
    UNIQUE (thread, interrupt, made_by)
);

-- The thread is not a key, since entries outlive it.
CREATE TABLE audit (
    seq bigint PRIMARY KEY,
    at bigint NOT NULL,
    kind text NOT NULL,
    actor text NOT NULL,
    origin text NOT NULL,
    owner text COLLATE "C" NOT NULL,
    thread text COLLATE "C",
    interrupt text COLLATE "C",
    json bytea NOT NULL,
    hash bytea NOT NULL
);
CREATE INDEX audit_by_owner ON audit (owner, seq);
CREATE INDEX audit_by_thread ON audit (thread, seq) WHERE thread IS NOT NULL;
CREATE INDEX audit_by_interrupt ON audit (interrupt, seq) WHERE interrupt IS NOT NULL;
CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail can only grow';
END $$;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_only_grows();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows();
CREATE FUNCTION audit_grows_at_its_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    tail bigint;
BEGIN
    EXECUTE format('SELECT coalesce(max(seq), 0) FROM %I.audit', TG_TABLE_SCHEMA) INTO tail;
    IF NEW.seq <> tail + 1 THEN
        RAISE EXCEPTION 'the audit trail grows at its end';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER audit_has_no_gaps BEFORE INSERT ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_grows_at_its_end();

CREATE TABLE rule (
    owner text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent text NOT NULL,
    tool text NOT NULL,
    risk text NOT NULL,
    thread bigint,
    made_by text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (owner, id)
);
CREATE INDEX rule_by_thread ON rule (thread) WHERE thread IS NOT NULL;

CREATE TABLE annotation (
    thread bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    run text COLLATE "C",
    message text COLLATE "C",
    kind text NOT NULL,
    json bytea NOT NULL,
    made_by text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (thread, id)
);

-- What tools remember of somebody, on whatever thread.
CREATE TABLE note (
    owner text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (owner, name)
);

-- Links by which somebody may read a thread that is not theirs. What opens them is kept as a hash.
CREATE TABLE share (
    thread bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    hash bytea NOT NULL UNIQUE,
    made_by text NOT NULL,
    at bigint NOT NULL,
    expires_at bigint,
    PRIMARY KEY (thread, id)
);
