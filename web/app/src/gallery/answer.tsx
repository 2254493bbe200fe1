/** What would have been sent. */
export function Answer({ label, value, none, children }: { label: string; value: unknown; none: string; children?: React.ReactNode }) {
  return (
    <div className="gallery-json">
      <span className="gallery-label">{label}</span>
      <pre className="gallery-plain" data-testid="answer" tabIndex={0}>
        {value === undefined ? none : JSON.stringify(value, null, 2)}
      </pre>
      {children}
    </div>
  );
}
