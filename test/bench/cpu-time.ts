import { existsSync, readFileSync } from 'node:fs';

/** Ticks of Linux's clock in a second, as `/proc` counts them. */
const ticksPerSecond = 100;

/** Processor time that processes have used so far, in milliseconds; undefined where the system does not tell. */
export function cpuTime(pids: readonly (number | undefined)[]): number | undefined {
  let ticks = 0;
  for (const pid of pids) {
    const file = `/proc/${pid}/stat`;
    if (pid === undefined || !existsSync(file)) return undefined;
    // The name of the program, in brackets, may have spaces.
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1_000) / ticksPerSecond;
}
