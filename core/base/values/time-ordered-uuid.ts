import { randomUUID } from 'node:crypto';

/**
 * A UUID of version 7 (RFC 9562): it begins with the time in Unix milliseconds, so that new rows are adjacent in an index;
 * 74 of its bits are random.
 */
export function timeOrderedUuid(milliseconds: number): string {
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
