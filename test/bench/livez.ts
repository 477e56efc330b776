import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { floodOfHints } from '../support/servers/flood-of-hints.ts';
import { measureRequests } from './livez-requests.ts';
import { callsPerSecond, hostilities } from './livez-service.ts';
import { measureSetUp } from './livez-set-up.ts';

/**
 * `npm run bench:livez`: how long `/livez` takes while a webhook, a price, a node or the ABI of a failed operation keeps the
 * service busy as often as a public key may ask. The hostile side and the one who measures run in threads of their own. Then the
 * same for the largest set-up that a tenant may have, with the processor time of the longest turn of the service's event loop, and
 * for requests that come at once or have a large answer.
 */
const seconds = Number(process.argv[2] ?? 5);
const betweenQuestionsMs = 10;

const flood = new Worker(floodOfHints, { eval: true });
const [port]: unknown[] = await once(flood, 'message');
process.stdout.write(`/livez while it happens ${callsPerSecond} times a second, for ${seconds} s\n`);
process.stdout.write('hostility     p50 ms  p99 ms  max ms\n');
for (const hostility of hostilities) {
  const child = fork(new URL('./livez-service.ts', import.meta.url), [hostility, `http://127.0.0.1:${port}/`]);
  const [adminUrl] = (await once(child, 'message')) as [string];
  printRow(hostility, await measure(`${adminUrl}/livez`));
  await stop(child);
}
await flood.terminate();
process.stdout.write('\nthe largest set-up of one tenant\n');
await measureSetUp((line) => process.stdout.write(`${line}\n`));
process.stdout.write('\nrequests at once, and large answers\n');
await measureRequests((line) => process.stdout.write(`${line}\n`));

async function measure(url: string): Promise<readonly number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const asked = performance.now();
    await (await fetch(url)).text();
    times.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, betweenQuestionsMs));
  }
  return times.sort((first, second) => first - second);
}

function printRow(hostility: string, times: readonly number[]): void {
  const columns = [0.5, 0.99, 1].map((part) => times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? 0);
  process.stdout.write(`${hostility.padEnd(12)}${columns.map((ms) => ms.toFixed(1).padStart(8)).join('')}\n`);
}

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}
