import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureBareLoop } from './bare-loop.ts';
import { type LoadResult, measureLoad, type RequestKind, requestKinds } from './load.ts';
import type { BenchTarget } from './service.ts';

/**
 * `npm run bench`: the service beside the bare loop of digest and signature, and beside itself on a disk that forgets, in
 * one run, as ratios. `-- 3` gives each measurement three seconds, `--only 'new, given'` measures that kind of request
 * alone, `--connections 16` with so many connections alone, and `--json` prints an object of all results in the place of the
 * table.
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    connections: { type: 'string', multiple: true },
  },
});
const seconds = Number(positionals[0] ?? 5);
const kinds = (Object.keys(requestKinds) as RequestKind[]).filter((kind) => flags.only?.includes(kind) ?? true);
const connectionCounts = flags.connections?.map(Number) ?? [1, 16, 64];
/** Where files are kept in memory: a commit waits for nothing there. */
const memoryFolder = '/dev/shm';

type Row = LoadResult & { readonly kind: string; readonly connections: number; readonly ratio: number };
const rows: Row[] = [];

const durable = await startService();
const { paymaster, entryPoint } = durable.target;
const bare = await measureBareLoop({ address: paymaster, entryPoint }, 3_000);
print(`bare loop of digest and signature, one core: ${Math.round(bare)}/s\n`);
print('request         connections  requests/s  ratio   p50 ms  p99 ms  failures  node ms  service ms');
for (const kind of kinds) {
  await measureLoad(durable.target, kind, 16, 2);
  for (const connections of connectionCounts) {
    addRow(kind, connections, await measureLoad(durable.target, kind, connections, seconds));
  }
}
await stop(durable.process);
if (existsSync(memoryFolder) && kinds.includes('SPONSORED')) await compareWithMemory();
if (flags.json) process.stdout.write(`${JSON.stringify({ bareLoopPerSecond: bare, seconds, rows }, null, 2)}\n`);

/** What it costs that holds are on disk before they are answered. */
async function compareWithMemory(): Promise<void> {
  const forgetful = await startService(memoryFolder);
  print('\nSPONSORED with the database in memory');
  await measureLoad(forgetful.target, 'SPONSORED', 16, 2);
  for (const connections of connectionCounts) {
    const result = await measureLoad(forgetful.target, 'SPONSORED', connections, seconds);
    addRow('in memory', connections, result);
    const onDisk = rows.find((row) => row.kind === 'SPONSORED' && row.connections === connections);
    const share = (onDisk?.requestsPerSecond ?? 0) / result.requestsPerSecond;
    print(`  with ${connections}: the disk keeps ${share.toFixed(2)} of that throughput`);
  }
  await stop(forgetful.process);
}

function addRow(kind: string, connections: number, result: LoadResult): void {
  const row = { kind, connections, ratio: result.requestsPerSecond / bare, ...result };
  rows.push(row);
  const columns = [
    kind.padEnd(15),
    String(connections).padStart(11),
    String(Math.round(row.requestsPerSecond)).padStart(11),
    row.ratio.toFixed(3).padStart(6),
    String(row.p50Ms).padStart(8),
    String(row.p99Ms).padStart(7),
    String(row.failures).padStart(9),
    (row.nodeCpuMs?.toFixed(2) ?? '?').padStart(8),
    (row.serviceCpuMs?.toFixed(2) ?? '?').padStart(11),
  ];
  print(columns.join(' '));
}

function print(line: string): void {
  if (!flags.json) process.stdout.write(`${line}\n`);
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
