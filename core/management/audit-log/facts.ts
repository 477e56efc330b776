import { createHash } from 'node:crypto';

/** Bytes of a value, as JSON, that are kept as they are; of a longer one its digest is. */
const maxValueBytes = 4_096;

/** What is told of an object: its fields, as JSON has them. */
export type Facts = Readonly<Record<string, unknown>>;

/** Objects by kind and id, like `webhook 3f1c…`. */
export type Objects = Readonly<Record<string, Facts>>;

/**
 * What may be told of a row: nothing of the columns that are hidden, and of bytes, which are sealed secrets, of URLs beyond
 * their origin and of what is long only that it is another one.
 */
export function factsOf<Row extends object>(row: Row, ...hidden: readonly (keyof Row)[]): Facts {
  const reported = Object.entries(row).filter(
    ([column, value]) => value !== null && !hidden.includes(column as keyof Row),
  );
  return Object.fromEntries(reported.map(([column, value]) => [column, factOf(column, value)]));
}

function factOf(column: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return digestOf(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string' && /(^|_)url$/.test(column)) return urlFact(value);
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) > maxValueBytes ? `${Buffer.byteLength(text)} bytes, ${digestOf(text)}` : value;
}

/** Path, query and user of a URL can be what lets one in. */
function urlFact(url: string): string {
  return `${URL.canParse(url) ? new URL(url).origin : 'not a URL'}, ${digestOf(url)}`;
}

/** Tells one value from another, and nothing else: enough bits for that, of what cannot be guessed. */
function digestOf(value: string | Uint8Array): string {
  return `SHA-256 ${createHash('sha256').update(value).digest('hex').slice(0, 16)}…`;
}
