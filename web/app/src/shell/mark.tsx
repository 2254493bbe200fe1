/** The mark: a curtain that has opened on somebody. */
export function Mark({ large = false }: { large?: boolean }) {
  return (
    <svg className="mark" data-large={large} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" className="mark-ground" />
      <path d="M6 7h20v3H6z" className="mark-ink" />
      <path d="M7 10c0 7 1 11 5 15H7zM25 10c0 7-1 11-5 15h5z" className="mark-cloth" />
      <circle cx="16" cy="19" r="3" className="mark-ink" />
    </svg>
  );
}
