import { createHash } from 'node:crypto';

/** A value of a row as either database gives it. */
export type RowValue = string | number | null | Uint8Array;

/** Takes rows in and says what they come to: the same for the same rows in the same order, from whichever database. */
export function createDigest() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(row: readonly RowValue[]): void {
      count += 1;
      for (const value of row) hash.update(encode(value));
    },
    count: () => count,
    /** To be asked for once. */
    text: () => hash.digest('hex'),
  };
}

/** With its type and length before it, so that no two rows read alike. */
function encode(value: RowValue): Buffer {
  if (value === null) return Buffer.from('n;');
  if (typeof value === 'number') return Buffer.from(`i${value};`);
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value);
  return Buffer.concat([Buffer.from(`${typeof value === 'string' ? 't' : 'b'}${bytes.length}:`), bytes]);
}
