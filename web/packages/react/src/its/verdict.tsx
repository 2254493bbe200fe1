/** Who was right, in a word and a colour. */
import { Icon } from "../ui/index.js";

export function Verdict({ tone, children }: { tone: "good" | "bad" | "info"; children: string }) {
  const icon = tone === "good" ? "check" : tone === "bad" ? "close" : "check";
  return (
    <span className="its-verdict" data-tone={tone} role="status">
      <Icon name={icon} />
      {children}
    </span>
  );
}
