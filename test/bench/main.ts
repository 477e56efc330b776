import { fork } from 'node:child_process';
import { once } from 'node:events';
import { measureBareLoop } from './bare-loop.ts';
import { measureLoad, type RequestKind, requestKinds } from './load.ts';
import type { BenchTarget } from './service.ts';

/** `npm run bench`: the service beside the bare loop of digest and signature, in one run, as ratios. */
const seconds = Number(process.argv[2] ?? 5);
const connectionCounts = [1, 16, 64];

const service = fork(new URL('./service.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const [target] = (await once(service, 'message')) as [BenchTarget];

const bare = await measureBareLoop({ address: target.paymaster, entryPoint: target.entryPoint }, 3_000);
process.stdout.write(`bare loop of digest and signature, one core: ${Math.round(bare)}/s\n\n`);
process.stdout.write('request       connections  requests/s  ratio   p50 ms  p99 ms  failures\n');
for (const kind of Object.keys(requestKinds) as RequestKind[]) {
  await measureLoad(target, kind, 16, 2);
  for (const connections of connectionCounts) {
    const { requestsPerSecond, p50Ms, p99Ms, failures } = await measureLoad(target, kind, connections, seconds);
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
}
service.disconnect();
await once(service, 'exit');
