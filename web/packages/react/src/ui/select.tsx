/** A choice of one among several, in our look. The list opens below the button and is typed into, as a system's is. */
import { Button, ListBox, ListBoxItem, Popover, Select as AriaSelect, SelectValue } from "react-aria-components";
import { Icon } from "./icon.js";
import "./select.css";

export interface SelectOption<T extends string = string> {
  value: T;
  label: string;
}

export interface SelectProps<T extends string = string> {
  options: readonly SelectOption<T>[];
  /** What is chosen; nothing shows the placeholder. */
  value: T | undefined;
  onChange: (value: T) => void;
  /** Its name, where no label on the page points at it. */
  "aria-label"?: string;
  /** The id of the element that names it. */
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
  id?: string;
  placeholder?: string;
  isInvalid?: boolean;
  isRequired?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
  size?: "sm" | "md";
  className?: string;
}

export function Select<T extends string>({ options, value, onChange, id, size = "md", className = "", "aria-describedby": describedBy, ...rest }: SelectProps<T>) {
  return (
    <AriaSelect
      {...rest}
      className={`fs-select ${className}`}
      data-size={size}
      value={value ?? null}
      onChange={(key) => {
        if (key !== null) onChange(String(key) as T);
      }}
    >
      <Button className="fs-select-button" {...(id === undefined ? {} : { id })} {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}>
        {/* The option has a tick beside its words, which the button does not need. */}
        <SelectValue className="fs-select-value">{({ isPlaceholder, defaultChildren, selectedText }) => (isPlaceholder ? defaultChildren : selectedText)}</SelectValue>
        <Icon name="chevron" />
      </Button>
      <Popover className="fs-select-popover" offset={4}>
        <ListBox className="fs-select-list" items={options}>
          {({ value: key, label }) => (
            <ListBoxItem id={key} textValue={label} className="fs-select-option">
              <span>{label}</span>
              <Icon name="check" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
