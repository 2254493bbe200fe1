/** A link within the app. */
import type { ReactNode } from "react";
import { go } from "../router.js";

interface LinkProps {
  path: string;
  className?: string;
  current?: boolean;
  onGo?: () => void;
  children: ReactNode;
}

export function Link({ path, className, current = false, onGo, children }: LinkProps) {
  return (
    <a
      href={path}
      className={className}
      aria-current={current ? "true" : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onGo?.();
        go(path);
      }}
    >
      {children}
    </a>
  );
}
