import { hostname } from 'node:os';
import { pid } from 'node:process';

/** Identifies this process to people among those at its database: its machine or container, and its process id. */
export function processName(): string {
  return `${hostname()} (process ${pid})`;
}
