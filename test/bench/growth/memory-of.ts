import { existsSync, readFileSync } from 'node:fs';

/** Resident memory of a process now and at most so far, in megabytes; 0 where the system does not tell. */
export function memoryOf(pid: number | undefined): { readonly now: number; readonly most: number } {
  const file = `/proc/${pid}/status`;
  const text = pid !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024);
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}
