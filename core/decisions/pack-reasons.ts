import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { RowError, type StoredRow } from '../store/row-error.ts';
import { reasonsDictionary } from './reasons-dictionary.ts';

/** First byte of what is packed as below: another dictionary would be another form. */
const form = 1;

/**
 * The reasons are long and nearly the same from one decision to the next, and a row of 2 kB has a page of the file
 * alone. What both sides know of them leaves a tenth. With a window that has room for that and the reasons, since a
 * larger one, and more diligence, take time that an answer waits for.
 */
const packing = { level: 3, memLevel: 5, windowBits: 13, dictionary: reasonsDictionary } as const;
/**
 * More than any reasons come to, in bytes: a few that someone has put into the table could be made to fill the memory.
 */
const maxReasonsBytes = 16 * 2 ** 20;
const unpacking = { windowBits: 13, dictionary: reasonsDictionary, maxOutputLength: maxReasonsBytes } as const;

/** Text as few bytes. */
export function packReasons(text: string): Uint8Array {
  return Buffer.concat([Buffer.of(form), deflateRawSync(text, packing)]);
}

/**
 * The text that was packed.
 *
 * @throws RowError when it was not packed by {@link packReasons}.
 */
export function unpackReasons(packed: Uint8Array, row: StoredRow): string {
  if (packed[0] !== form) throw new RowError(row, 'its reasons were written by another version of the program');
  try {
    return inflateRawSync(packed.subarray(1), unpacking).toString('utf8');
  } catch (cause) {
    throw new RowError(row, 'its reasons are incomplete', { cause });
  }
}
