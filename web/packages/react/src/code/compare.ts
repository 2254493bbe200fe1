/** Whether output is what was expected. Spaces at the ends of lines and empty lines at the end do not count. */
export function isAsExpected(output: string, expected: string): boolean {
  return tidy(output) === tidy(expected);
}

function tidy(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => line.trimEnd()).join("\n").trimEnd();
}
