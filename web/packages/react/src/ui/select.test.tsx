/** A select: its name and its value, and what the keyboard does. */
import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { Select } from "./select.js";

const OPTIONS = [
  { value: "low", label: "Low" },
  { value: "high", label: "High" },
] as const;

function Example({ onChange }: { onChange: (value: string) => void }) {
  const [value, setValue] = useState<"low" | "high">();
  return (
    <Select
      aria-label="Risk"
      placeholder="Choose…"
      options={OPTIONS}
      value={value}
      onChange={(next) => {
        setValue(next);
        onChange(next);
      }}
    />
  );
}

test("a select is a button with a name that opens a list and shows what was chosen", async () => {
  const chosen: string[] = [];
  render(<Example onChange={(value) => chosen.push(value)} />);
  const button = screen.getByRole("button", { name: /Risk/ });
  expect(button.textContent).toContain("Choose…");
  fireEvent.keyDown(button, { key: "ArrowDown" });
  fireEvent.keyUp(button, { key: "ArrowDown" });
  fireEvent.click(await screen.findByRole("option", { name: "High" }));
  expect(chosen).toEqual(["high"]);
  expect(screen.getByRole("button", { name: /Risk/ }).textContent).toContain("High");
});
