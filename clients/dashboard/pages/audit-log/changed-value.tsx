import { Moment } from '../../parts/moment.tsx';

type ChangedValueProps = {
  readonly field: string;
  readonly value: unknown;
  /** The value to compare with: of two lists only the differences are shown. */
  readonly other: unknown;
};

/** A value before or after a change. */
export function ChangedValue({ field, value, other }: ChangedValueProps) {
  if (value === undefined) return <span className="muted">nothing</span>;
  if (typeof value === 'number' && /(_at|At)$|^not(Before|After)$/.test(field)) return <Moment at={value} />;
  if (!Array.isArray(value)) return <code>{String(value)}</code>;
  const others = new Set(Array.isArray(other) ? other.map(textOf) : []);
  const own = value.map(textOf).filter((each) => !others.has(each));
  if (value.length === 0) return <span className="muted">an empty list</span>;
  const same = value.length - own.length;
  return (
    <ul>
      {own.map((each) => (
        <li key={each}>
          <code>{each}</code>
        </li>
      ))}
      {same === 0 ? null : <li className="muted">{own.length === 0 ? `the same ${same}` : `and the same ${same}`}</li>}
    </ul>
  );
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${typeof each === 'object' ? JSON.stringify(each) : String(each)}`)
    .join(', ');
}
