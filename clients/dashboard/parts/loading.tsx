const lines = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** While something is read: grey lines about where it will be. */
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
