/**
 * A stock CopilotKit page. Its address says everything: `?runtime=URL&agent=NAME&thread=ID`, and `single` where all
 * requests go to one address.
 */
import { CopilotChat, CopilotKitProvider } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { createRoot } from "react-dom/client";
import { Threads } from "./threads.jsx";
import { Tools } from "./tools.jsx";

const query = new URLSearchParams(location.search);
const agent = query.get("agent");
const thread = query.get("thread");

function Page() {
  return (
    <CopilotKitProvider
      runtimeUrl={query.get("runtime")}
      useSingleEndpoint={query.has("single")}
      onError={({ error, code }) => console.error(`CopilotKit ${code}: ${error.message}`)}
    >
      <main style={{ display: "flex", height: "95vh" }}>
        <Threads agent={agent} />
        <Tools agent={agent} />
        <div style={{ flex: 1 }}>
          <CopilotChat agentId={agent ?? undefined} {...(thread === null ? {} : { threadId: thread })} />
        </div>
      </main>
    </CopilotKitProvider>
  );
}

createRoot(document.getElementById("root")).render(<Page />);
