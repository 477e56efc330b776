const lines = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** A loading placeholder: grey lines at the position of the content. */
export function Loading() {
  return (
    <div role="status" className="skeleton">
      <p className="only-read">Loading …</p>
      {lines.map((line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
