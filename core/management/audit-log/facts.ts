import { createHash } from 'node:crypto';
import { counted } from '@tollfree/contract/counted';

/** Longest value, in bytes of JSON, that is recorded in full; for a longer one its digest is. */
const maxValueBytes = 4_096;

/** Longest state of an entry, in bytes of JSON, with values in full; of a longer one only short values are. */
const maxStateBytes = 8_192;
const shortValueBytes = 128;

/** The recorded fields of an object, as in JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/** Objects by kind and id, like `webhook 3f1c…`. */
export type Objects = Readonly<Record<string, Facts>>;

/**
 * The recordable facts of a row. Hidden columns are left out. Sealed secrets (bytes), URLs beyond their origin, and long
 * values are reduced to a digest, which shows only that they changed.
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
  return shortened(value, maxValueBytes);
}

function shortened(value: unknown, maxBytes: number): unknown {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) > maxBytes ? `${counted(Buffer.byteLength(text), 'byte')}, ${digestOf(text)}` : value;
}

/** Objects as the text that an entry stores. */
export function stateText(objects: Objects): string {
  const text = JSON.stringify(objects);
  if (Buffer.byteLength(text) <= maxStateBytes) return text;
  const short = Object.entries(objects).map(([object, facts]) => {
    const values = Object.entries(facts).map(([column, value]) => [column, shortened(value, shortValueBytes)]);
    return [object, Object.fromEntries(values)];
  });
  return JSON.stringify(Object.fromEntries(short));
}

/** Path, query and user of a URL may grant access. */
function urlFact(url: string): string {
  return `${URL.canParse(url) ? new URL(url).origin : 'not a URL'}, ${digestOf(url)}`;
}

/** Distinguishes values without revealing them: enough bits for that, and the inputs cannot be guessed. */
function digestOf(value: string | Uint8Array): string {
  return `SHA-256 ${createHash('sha256').update(value).digest('hex').slice(0, 16)}…`;
}

/** Rows as objects by kind and id. */
export function toObjects<Row>(rows: readonly Row[], describe: (row: Row) => readonly [string, Facts]): Objects {
  return Object.fromEntries(rows.map(describe));
}
