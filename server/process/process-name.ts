import { hostname } from 'node:os';
import { pid } from 'node:process';

/** What tells people this process from the others at its database: its machine, or container, and its number there. */
export function processName(): string {
  return `${hostname()} (process ${pid})`;
}
