/** A link within the app. */
import type { ReactNode } from "react";
import { go } from "../router.js";

interface LinkProps {
  path: string;
  className?: string;
  /** What it leads to is shown: the page itself, or an item of the page. */
  current?: "page" | "true" | undefined;
  onGo?: () => void;
  children: ReactNode;
}

export function Link({ path, className, current, onGo, children }: LinkProps) {
  return (
    <a
      href={path}
      className={className}
      aria-current={current}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(path);
        onGo?.();
      }}
    >
      {children}
    </a>
  );
}
