/** Like `Select`, for what most visits never see: the list and its keys are loaded when one is first drawn. */
import { Suspense, lazy } from "react";
import { Icon } from "./icon.js";
import type { Select, SelectProps } from "./select.js";

// A component that is loaded later has lost its type parameter.
const Loaded = lazy(async () => ({ default: (await import("./select.js")).Select })) as unknown as typeof Select;

export function LazySelect<T extends string>(props: SelectProps<T>) {
  return (
    <Suspense fallback={<Still {...props} />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** What is chosen, as long as nothing else can be. */
function Still<T extends string>({ options, value, placeholder, size = "md", className = "" }: SelectProps<T>) {
  const chosen = options.find((option) => option.value === value)?.label ?? placeholder;
  return (
    <span className={`fs-select ${className}`} data-size={size}>
      <span className="fs-select-button">
        <span className="fs-select-value">{chosen}</span>
        <Icon name="chevron" />
      </span>
    </span>
  );
}
