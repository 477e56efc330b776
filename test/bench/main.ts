import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { measureBareLoop } from './bare-loop.ts';
import { type LoadResult, measureLoad, type RequestKind, requestKinds } from './load.ts';
import type { BenchTarget } from './service.ts';

/**
 * `npm run bench`: the service beside the bare loop of digest and signature, and beside itself on a disk that forgets, in
 * one run, as ratios.
 */
const seconds = Number(process.argv[2] ?? 5);
const connectionCounts = [1, 16, 64];
/** Where files are kept in memory: a commit waits for nothing there. */
const memoryFolder = '/dev/shm';

const durable = await startService();
const { paymaster, entryPoint } = durable.target;
const bare = await measureBareLoop({ address: paymaster, entryPoint }, 3_000);
process.stdout.write(`bare loop of digest and signature, one core: ${Math.round(bare)}/s\n\n`);
process.stdout.write('request       connections  requests/s  ratio   p50 ms  p99 ms  failures\n');
const onDisk = new Map<number, LoadResult>();
for (const kind of Object.keys(requestKinds) as RequestKind[]) {
  await measureLoad(durable.target, kind, 16, 2);
  for (const connections of connectionCounts) {
    const result = await measureLoad(durable.target, kind, connections, seconds);
    if (kind === 'SPONSORED') onDisk.set(connections, result);
    printRow(kind, connections, result);
  }
}
await stop(durable.process);
if (existsSync(memoryFolder)) await compareWithMemory();

/** What it costs that holds are on disk before they are answered. */
async function compareWithMemory(): Promise<void> {
  const forgetful = await startService(memoryFolder);
  process.stdout.write('\nSPONSORED with the database in memory\n');
  await measureLoad(forgetful.target, 'SPONSORED', 16, 2);
  for (const connections of connectionCounts) {
    const result = await measureLoad(forgetful.target, 'SPONSORED', connections, seconds);
    printRow('in memory', connections, result);
    const share = (onDisk.get(connections)?.requestsPerSecond ?? 0) / result.requestsPerSecond;
    process.stdout.write(`  with ${connections}: the disk keeps ${share.toFixed(2)} of that throughput\n`);
  }
  await stop(forgetful.process);
}

function printRow(kind: string, connections: number, result: LoadResult): void {
  const { requestsPerSecond, p50Ms, p99Ms, failures } = result;
  const columns = [
    kind.padEnd(13),
    String(connections).padStart(11),
    String(Math.round(requestsPerSecond)).padStart(11),
    (requestsPerSecond / bare).toFixed(3).padStart(6),
    String(p50Ms).padStart(8),
    String(p99Ms).padStart(7),
    String(failures).padStart(9),
  ];
  process.stdout.write(`${columns.join(' ')}\n`);
}

async function startService(...args: readonly string[]): Promise<{ process: ChildProcess; target: BenchTarget }> {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const child = fork(new URL('./service.ts', import.meta.url), args, { stdio: [...stdio] });
  const [target] = (await once(child, 'message')) as [BenchTarget];
  return { process: child, target };
}

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}
