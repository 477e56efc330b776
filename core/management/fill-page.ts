import { maxAbiBytes } from '@tollfree/contract/limits';

/** Bytes of what a page holds, as it is stored; its last item may exceed them. */
const maxPageBytes = maxAbiBytes;
/** What an item takes next to its long text. */
const bytesOfItem = 1_024;

/**
 * The first of some rows, as many as fit in a page of a list whose items have long texts, at least one: what a page holds does not
 * grow with what is stored. `next` is the last one of the page where there are more.
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
