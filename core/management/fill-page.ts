import { maxAbiBytes } from '@tollfree/contract/limits';

/** Most bytes of a page, in stored form; its last item may exceed them. */
const maxPageBytes = maxAbiBytes;
/** Bytes of an item in addition to its long text. */
const bytesOfItem = 1_024;

/**
 * The first rows that fit in a page, at least one, for lists whose items have long texts: so a page does not grow with the
 * stored data. `next` is the last one of the page if there are more.
 */
export function fillPage<Row extends { readonly bytes: number }>(
  rows: readonly Row[],
): { readonly page: readonly Row[]; readonly next?: Row } {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    const isFull = bytes >= maxPageBytes;
    bytes += bytesOfItem + row.bytes;
    return isFull;
  });
  if (end === -1) return { page: rows };
  const page = rows.slice(0, end);
  const next = page.at(-1);
  return { page, ...(next && { next }) };
}
