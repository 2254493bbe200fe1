//! Everything that can be asked of the server.

/// One thing that can be asked.
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) about: &'static str,
    /// Name and meaning of what may stand in the query.
    pub(super) query: &'static [(&'static str, &'static str)],
    /// The schema of the body, if there is one.
    pub(super) body: Option<&'static str>,
    /// Status, media type, schema and meaning of the answer.
    pub(super) answer: (u16, &'static str, Option<&'static str>, &'static str),
}

const STREAM: &str = "text/event-stream";
pub(super) const JSON: &str = "application/json";
const COALESCE: (&str, &str) =
    ("coalesce", "Make neighbouring deltas one, waiting so many milliseconds (5000 at most) for more.");
const PROTOCOL: (&str, &str) = (
    "protocol",
    "The version of AG-UI that the client reads, where its input states none: `1.0`, or `0.0.N`. Without either, a form that every client from 0.0.45 on reads.",
);
const WHICH_THREAD: (&str, &str) =
    ("thread", "The thread it is on; needed where the same id waits on several of yours.");
const AT_RUN: (&str, &str) =
    ("run", "The run after which the conversation is wanted; the thread's head if absent.");

/// Everything that can be asked, in the order in which a reader wants it.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        method: "get",
        path: "/v1/agents",
        about: "The agents, each with its AG-UI capabilities.",
        query: &[],
        body: None,
        answer: (
            200,
            JSON,
            None,
            "`agents`, in the order for lists: name, title, description, icon, order, group, capabilities.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/agents/{agent}",
        about: "One agent.",
        query: &[],
        body: None,
        answer: (200, JSON, None, "Name, description, capabilities."),
    },
    Operation {
        method: "post",
        path: "/v1/agents/{agent}/runs",
        about: "Run an agent and watch it. The runId is an idempotency key: the same request again attaches to the \
                same run, and with `Last-Event-ID` it continues behind that event. Closing the connection does not \
                cancel the run, unless `onLeave=cancel`.",
        query: &[
            (
                "onBusy",
                "What to do if the thread has a run under way: `reject` (the default), `queue` or `replace`.",
            ),
            (
                "onLeave",
                "What to do if the client closes the connection before the run has ended: `continue` (the default) or `cancel`.",
            ),
            COALESCE,
            PROTOCOL,
        ],
        body: Some("RunAgentInput"),
        answer: (
            200,
            STREAM,
            Some("Event"),
            "The events of the run, each with its cursor as `id`, to the terminal one.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/threads",
        about: "Your threads, the one that changed last first.",
        query: &[
            ("search", "Only those whose title or id contains this."),
            ("agent", "Only those with this agent."),
            ("status", "Only those that are `idle`, `running`, `waiting` or `failed`."),
            ("archived", "`true` lists those that were put away, too."),
            ("limit", "How many, 200 at most."),
            ("cursor", "`nextCursor` of the page before."),
        ],
        body: None,
        answer: (200, JSON, None, "`threads`, and `nextCursor` if there are more."),
    },
    Operation {
        method: "get",
        path: "/v1/search",
        about: "Messages on your threads that have all the words, newest first.",
        query: &[
            ("q", "The words. Case does not matter, and a word may be a part of another."),
            ("archived", "`true` searches threads that were put away, too."),
            ("limit", "How many, 100 at most; 20 where absent."),
        ],
        body: None,
        answer: (
            200,
            JSON,
            None,
            "`results`: `thread`, `messageId`, `role` (`user` or `assistant`), and a `snippet` with what is `before` and `after` the `hit`.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}",
        about: "One thread.",
        query: &[],
        body: None,
        answer: (200, JSON, Some("Thread"), "The thread."),
    },
    Operation {
        method: "patch",
        path: "/v1/threads/{thread}",
        about: "Name a thread, put it away, or have its answers looked at before they are shown: `title` (one line; \
                null, or nothing but blanks, takes it away), `archived`, `review`. The last holds for runs that begin from now on.",
        query: &[],
        body: Some("ThreadChange"),
        answer: (200, JSON, Some("Thread"), "The thread as it is now."),
    },
    Operation {
        method: "delete",
        path: "/v1/threads/{thread}",
        about: "Delete a thread with everything on it. A run in progress and runs in the queue are cancelled first. The server completes the deletion even if the client disconnects.",
        query: &[],
        body: None,
        answer: (204, JSON, None, "It is gone."),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/events",
        about: "Follow a thread, from a cursor (`Last-Event-ID` or `after`) or from now. Without a cursor the \
                conversation comes as snapshots first, and what is under way is opened again.",
        query: &[
            ("after", "A cursor, or `start` for the whole log."),
            ("live", "`false` ends at the present end."),
            ("format", "`sse` (the default) or `jsonl`: one event on a line, from the start, for export."),
            COALESCE,
            PROTOCOL,
        ],
        body: None,
        answer: (200, STREAM, Some("Event"), "The events."),
    },
    Operation {
        method: "post",
        path: "/v1/threads/{thread}/import",
        about: "Make a thread of a recording: JSON lines of whole runs, as an export has them.",
        query: &[(
            "agent",
            "The agent that the thread goes on with. One that does not exist is `404 unknown_agent`.",
        )],
        body: Some("Event"),
        answer: (201, JSON, Some("Thread"), "The new thread."),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/messages",
        about: "The conversation, folded.",
        query: &[AT_RUN],
        body: None,
        answer: (
            200,
            JSON,
            None,
            "`messages`, the `origins` of those that clients sent (their runs, by the id of the message), the `head` they \
             stand after, and the `cursor` to follow from.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/state",
        about: "The shared state, folded.",
        query: &[AT_RUN],
        body: None,
        answer: (200, JSON, None, "`state`, `head`, `cursor`."),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/surfaces",
        about: "What the agent has drawn and not taken away, with what was typed.",
        query: &[AT_RUN],
        body: None,
        answer: (
            200,
            JSON,
            None,
            "`surfaces` (each with `surfaceId`, `messageId`, `catalogId`, `components`, `dataModel`), `head`, `cursor`.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/apps/{page}",
        about: "A page that a tool of an MCP server brought along, by the `page` of its `mcp-apps` activity.",
        query: &[],
        body: None,
        answer: (200, JSON, None, "`uri`, `html`, `csp` with the hosts that it may reach, `prefersBorder`."),
    },
    Operation {
        method: "get",
        path: "/v1/apps/frame",
        about: "The empty frame that such a page is shown in. It needs no key.",
        query: &[
            ("connect", "Hosts for requests, with blanks between them; none where absent."),
            ("resource", "The same for scripts, styles, pictures, fonts and sounds."),
            ("frame", "The same for frames."),
        ],
        body: None,
        answer: (200, "text/html", None, "The frame."),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/runs",
        about: "The runs of a thread, first first, each with the run it follows.",
        query: &[(
            "ends",
            "Of how many runs, the last ones, to say how they ended (500 at most): `usage` and `error`, where their last \
             event has them. None if absent.",
        )],
        body: None,
        answer: (200, JSON, None, "`runs` and `head`."),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/runs/{run}",
        about: "One run.",
        query: &[],
        body: None,
        answer: (200, JSON, Some("Run"), "The run, with what it used and what went wrong."),
    },
    Operation {
        method: "post",
        path: "/v1/threads/{thread}/runs/{run}/cancel",
        about: "Stop a run: its open items are ended, its outcome is `cancelled`, every viewer sees it. The questions of a \
                run that waits for people are withdrawn, and its agent is not called.",
        query: &[],
        body: None,
        answer: (
            200,
            JSON,
            None,
            "`cancelled`: whether it was under way or waited; `hint`: why it could not be.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/branches",
        about: "The ways the conversation went.",
        query: &[],
        body: None,
        answer: (200, JSON, None, "`branches` by their last run, and the `siblings` of every run."),
    },
    Operation {
        method: "post",
        path: "/v1/threads/{thread}/branches",
        about: "Go another way: the next run follows `runId`, or stands where `messageId` does. Nothing is lost.",
        query: &[],
        body: Some("BranchPoint"),
        answer: (200, JSON, None, "The conversation there."),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/annotations",
        about: "What people said about the conversation.",
        query: &[],
        body: None,
        answer: (200, JSON, None, "`annotations`."),
    },
    Operation {
        method: "post",
        path: "/v1/threads/{thread}/annotations",
        about: "Say something about the conversation, a run or a message; the same `id` again replaces it.",
        query: &[],
        body: Some("Annotation"),
        answer: (201, JSON, None, "The annotation."),
    },
    Operation {
        method: "delete",
        path: "/v1/threads/{thread}/annotations/{annotation}",
        about: "Take it back.",
        query: &[],
        body: None,
        answer: (204, JSON, None, "It is gone."),
    },
    Operation {
        method: "get",
        path: "/v1/threads/{thread}/shares",
        about: "The links by which others may read the thread.",
        query: &[],
        body: None,
        answer: (
            200,
            JSON,
            None,
            "`shares`: `id`, `threadId`, `by`, `at`, `expiresAt`; not what opens them.",
        ),
    },
    Operation {
        method: "post",
        path: "/v1/threads/{thread}/shares",
        about: "Make a link by which others may read the thread, as it is and as it goes on, and nothing else. Its `token` \
                stands where a key would, in `GET` of the thread and its `events`, `messages`, `state`, `surfaces`, `runs` \
                and `branches`; anything else answers `403 read_only`.",
        query: &[],
        body: Some("NewShare"),
        answer: (201, JSON, None, "The share with its `token`, which is told only now."),
    },
    Operation {
        method: "delete",
        path: "/v1/threads/{thread}/shares/{share}",
        about: "Take a link back. Whoever follows by it is cut off within seconds.",
        query: &[],
        body: None,
        answer: (204, JSON, None, "It opens nothing any more."),
    },
    Operation {
        method: "get",
        path: "/v1/interrupts",
        about: "The questions that wait for you, across threads: those of your own threads, and those that name a \
                role of yours. They are answered here, or by a run with `resume`. `private` is shown to those who \
                may decide.",
        query: &[
            ("thread", "Only those of this thread."),
            ("agent", "Only threads of this agent."),
            (
                "risk",
                "Only those with this risk: `low`, `medium`, `high` or `critical`; several with commas between them.",
            ),
            ("decided", "`true` lists those that were answered, too."),
            ("limit", "How many, 1000 at most."),
            ("after", "`nextCursor` of the page before."),
            (
                "follow",
                "`true` makes it an event stream: every question that waits as \
                 `{\"type\": \"opened\", \"interrupt\"}`, then `{\"type\": \"ready\"}`, then `opened`, `voted`, \
                 `decided` and `closed` as they happen.",
            ),
        ],
        body: None,
        answer: (
            200,
            JSON,
            Some("Interrupts"),
            "`interrupts`, the oldest first, and `nextCursor` if there are more.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/interrupts/{interrupt}",
        about: "One question, with its decision if there is one.",
        query: &[WHICH_THREAD],
        body: None,
        answer: (200, JSON, Some("InterruptRecord"), "The question."),
    },
    Operation {
        method: "post",
        path: "/v1/interrupts/{interrupt}",
        about: "Decide a question: `status` with a `payload`, or in short an approval. The first decision counts, \
                whatever the door; the same one again by the same person is `repeated`. When the last question of a \
                thread is decided, the server begins the `run` that goes on with the answers.",
        query: &[WHICH_THREAD],
        body: Some("Verdict"),
        answer: (
            200,
            JSON,
            Some("Ruling"),
            "`effect` is `decided`, `counted` (more people have to agree) or `repeated`; the `interrupt` as it is now; \
             the `run` that goes on, or null.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/rules",
        about: "What you have allowed once and for all.",
        query: &[],
        body: None,
        answer: (200, JSON, Some("Rules"), "`rules`, the oldest first."),
    },
    Operation {
        method: "delete",
        path: "/v1/rules/{rule}",
        about: "Take it back: the next call asks again.",
        query: &[],
        body: None,
        answer: (204, JSON, None, "It is gone."),
    },
    Operation {
        method: "get",
        path: "/v1/audit",
        about: "What was asked, decided and refused on your threads; with the role `auditor` or `admin`, on all. Each \
                entry is sealed: `hash` is SHA-256 over the hash before it (32 zero bytes before the first) and over \
                `seq`, `at`, `kind`, `actor`, `origin`, `owner`, `threadId`, `interruptId` and `json`, each with its \
                length in front as eight bytes, big endian. Numbers are eight bytes, big endian; texts are UTF-8; the \
                length of a null has all bits set and nothing behind it.",
        query: &[
            ("thread", "Only entries about this thread."),
            ("interrupt", "Only entries about this question."),
            ("after", "Only entries after this number."),
            ("limit", "How many: 1000 at most, all in an export."),
            (
                "format",
                "`json` (the default) or `jsonl`: an export up to the present end, one entry on a line.",
            ),
        ],
        body: None,
        answer: (
            200,
            JSON,
            Some("AuditTrail"),
            "`entries` in the order of their numbers, whether these are of `all` users, and `nextCursor` if there are \
             more.",
        ),
    },
    Operation {
        method: "post",
        path: "/v1/streams/verify",
        about: "Hold a recording against the rules: a JSON array of events, one event on a line, or an event stream. \
                Nothing is kept. A run that breaks a rule is left there, and the next one is judged afresh.",
        query: &[],
        body: Some("Event"),
        answer: (
            200,
            JSON,
            Some("Judgement"),
            "Whether it is `ok`, how many `events` and `runs`, and the `findings`: `index` of the event, `severity`, \
             `code`, `message`, and `path` in the event where it is known.",
        ),
    },
    Operation {
        method: "get",
        path: "/v1/ws",
        about: "A WebSocket for everything: frames `run`, `follow`, `unfollow`, `cancel`, `ping`; or bare inputs.",
        query: &[
            ("agent", "The agent for bare inputs."),
            ("token", "An API key, where headers cannot be set."),
            PROTOCOL,
        ],
        body: None,
        answer: (101, JSON, None, "The socket."),
    },
    Operation {
        method: "get",
        path: "/v1/server",
        about: "Who you are to this server, and what is switched on for you.",
        query: &[],
        body: None,
        answer: (
            200,
            JSON,
            None,
            "`version`, your `user` and `roles`, whether there are `keys`, whether the web app has an `inspector`, whether the server is a `demo`, the `pictureOrigins` from which it shows pictures, and in a demo the `people` that a page may be.",
        ),
    },
    Operation {
        method: "get",
        path: "/healthz",
        about: "Whether the process answers.",
        query: &[],
        body: None,
        answer: (200, JSON, None, "It does."),
    },
    Operation {
        method: "get",
        path: "/readyz",
        about: "Whether it can do its work: 503 while it shuts down (`shutting_down`), or while the store cannot be read \
                (`store_unavailable`) or written (`store_unwritable`).",
        query: &[],
        body: None,
        answer: (200, JSON, None, "It can."),
    },
    Operation {
        method: "get",
        path: "/openapi.json",
        about: "This description.",
        query: &[],
        body: None,
        answer: (200, JSON, None, "An OpenAPI document."),
    },
];
