import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type BenchTarget, servicePids } from './bench-target.ts';

/**
 * Gives each process of the service a core, and the others to the node and to the process that makes the load, where there
 * are enough and `taskset` is there. Returns a sentence that says whether it did.
 */
export function pinCores(target: BenchTarget): string {
  const cores = availableParallelism();
  const service = servicePids(target);
  const shared = `${cores} cores, shared by the service, its node and what makes the load`;
  if (cores <= service.length + 1) return `${shared}: too few to keep them apart`;
  const pin = (pid: number, list: string) =>
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)]).status === 0;
  const pinned = service.every((pid, index) => pin(pid, String(index)));
  const rest = `${service.length}-${cores - 1}`;
  const others = [process.pid, ...(target.nodePid === undefined ? [] : [target.nodePid])];
  if (!pinned || !others.every((pid) => pin(pid, rest))) return `${shared}: taskset did not keep them apart`;
  return `${cores} cores, ${service.length} of them the service's alone`;
}
