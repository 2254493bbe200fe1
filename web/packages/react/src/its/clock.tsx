/** A time of the day, put in by its parts, and what it may be. */
import { DateInput, DateSegment, FieldError, Label, TimeField } from "react-aria-components";
import type { Time } from "@internationalized/date";
import { useMessages } from "../i18n/index.js";
import { type Bounds, clockText, isWithin } from "./times.js";
import { words } from "./words.js";

export interface ClockProps {
  label: string;
  bounds: Bounds<Time>;
  isDisabled: boolean;
  value: Time | undefined;
  onChange: (time: Time | undefined) => void;
}

export function Clock({ label, bounds, isDisabled, value, onChange }: ClockProps) {
  const text = useMessages(words);
  const isOutside = value !== undefined && !isWithin(value, bounds);
  return (
    <TimeField
      className="its-clock"
      granularity="minute"
      isDisabled={isDisabled}
      isInvalid={isOutside}
      value={value ?? null}
      onChange={(time) => onChange(time ?? undefined)}
    >
      <Label>{label}</Label>
      <DateInput className="its-clock-input">{(segment) => <DateSegment segment={segment} className="its-clock-part" />}</DateInput>
      {isOutside && <FieldError className="its-clock-error">{limits(bounds, text)}</FieldError>}
    </TimeField>
  );
}

/** What a time may be, in words. */
function limits({ min, max }: Bounds<Time>, text: { outOfBounds: (min: string, max: string) => string; notBefore: (min: string) => string; notAfter: (max: string) => string }): string {
  if (min !== undefined && max !== undefined) return text.outOfBounds(clockText(min), clockText(max));
  if (min !== undefined) return text.notBefore(clockText(min));
  return max === undefined ? "" : text.notAfter(clockText(max));
}
