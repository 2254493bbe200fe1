/** A few things of which one is on. */
import { Radio, RadioGroup } from "react-aria-components";

export interface SegmentsProps<Id extends string> {
  label: string;
  value: Id;
  options: { id: Id; label: string }[];
  onChange: (id: Id) => void;
}

export function Segments<Id extends string>({ label, value, options, onChange }: SegmentsProps<Id>) {
  return (
    <RadioGroup className="gallery-segments" aria-label={label} orientation="horizontal" value={value} onChange={(id) => onChange(id as Id)}>
      {options.map((option) => (
        <Radio key={option.id} value={option.id} className="gallery-segment">
          {option.label}
        </Radio>
      ))}
    </RadioGroup>
  );
}
