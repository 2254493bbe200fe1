import { useThreads } from "@copilotkit/react-core/v2";

/** The caller's threads with an agent, and what can be done with them. */
export function Threads({ agent }) {
  const { threads, error, refetchThreads, renameThread, archiveThread, deleteThread } = useThreads({
    agentId: agent ?? "default",
  });
  return (
    <nav aria-label="Threads" style={{ width: 260, overflow: "auto" }}>
      <button type="button" onClick={refetchThreads}>
        Refresh
      </button>
      {error && <p role="alert">{error.message}</p>}
      <ul>
        {threads.map(({ id, name }) => (
          <li key={id} data-thread={id}>
            <span>{name ?? id}</span>
            <button type="button" onClick={() => renameThread(id, `Renamed ${id}`)}>
              Rename
            </button>
            <button type="button" onClick={() => archiveThread(id)}>
              Archive
            </button>
            <button type="button" onClick={() => deleteThread(id)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
