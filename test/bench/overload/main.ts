import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { startBenchService } from '../bench-process.ts';
import type { BenchTarget } from '../bench-target.ts';
import { requestsOf, warmUp } from '../load.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';

/**
 * `npm run bench:overload`: ten times as many clients as a service takes requests at once, each asking again as soon as it is
 * answered. What is refused has to be refused at once, what is taken has to take no longer than with just as many clients, and
 * afterwards all is as it was. `--seconds 30`, and `--requests-at-once 64` with that limit alone.
 */
const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, 'requests-at-once': { type: 'string', multiple: true } },
});
const seconds = Number(flags.seconds);
const limits = (flags['requests-at-once'] ?? ['64', '1000']).map(Number);
const kind = requestKinds['new, given'];
const overload = 10;
/** More connections are hard to have from one process. */
const maxConnections = 4_000;

for (const atOnce of limits) {
  const service = await startBenchService(['--requests-at-once', String(atOnce)]);
  await warmUp(service.target, kind);
  print(`${atOnce} requests at once`);
  const alone = await measure(service.target, { connections: 1, duration: 3 });
  const full = await measure(service.target, { connections: atOnce, duration: 8 });
  const capacity = full.taken.length / 8;
  tell('one at a time', alone);
  tell(`as many as it takes, ${Math.round(capacity)} a second`, full);
  const connections = Math.min(overload * atOnce, maxConnections);
  const over = await measure(service.target, { connections, duration: seconds });
  const offered = (over.taken.length + over.refused.length + over.failed) / seconds;
  tell(`${connections} clients for ${seconds} s, ${Math.round(offered)} requests a second`, over);
  const recovered = await recover(service.target, at(alone.taken, 0.5));
  print(`  as fast as before ${recovered.toFixed(1)} s after the end`);
  await service.stop();
}

/** Latencies in milliseconds of what was signed and of what was told to come later; `failed` is everything else. */
type Answers = { readonly taken: number[]; readonly refused: number[]; failed: number };

async function measure(target: BenchTarget, load: Partial<autocannon.Options>): Promise<Answers> {
  const answers: Answers = { taken: [], refused: [], failed: 0 };
  const requests = requestsOf(target, kind, { failures: 0, refused: 0 });
  const running = autocannon({ ...requests, ...load, timeout: 60 }, () => undefined);
  running.on('response', (_client, status, _bytes, time) => {
    if (status === 200) answers.taken.push(time);
    else if (status === 429 || status === 503) answers.refused.push(time);
    else answers.failed += 1;
  });
  running.on('reqError', () => {
    answers.failed += 1;
  });
  await new Promise((resolve) => running.on('done', resolve));
  return answers;
}

/** Seconds until ten requests in a row take at most twice what one took before. */
async function recover(target: BenchTarget, beforeMs: number): Promise<number> {
  const start = performance.now();
  let fast = 0;
  while (fast < 10) {
    const asked = performance.now();
    const response = await fetch(target.rpcUrl, {
      method: 'POST',
      ...requestOf(kind.bodies[0], target, nextNonceKey()),
    });
    await response.text();
    fast = response.ok && performance.now() - asked <= 2 * beforeMs ? fast + 1 : 0;
    if (performance.now() - start > 60_000) break;
  }
  return (performance.now() - start) / 1_000;
}

function at(times: readonly number[], part: number): number {
  const sorted = [...times].sort((first, second) => first - second);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0;
}

function tell(what: string, { taken, refused, failed }: Answers): void {
  const times = (list: readonly number[]) => `p50 ${at(list, 0.5).toFixed(0)} ms, p99 ${at(list, 0.99).toFixed(0)} ms`;
  const refusals = refused.length === 0 ? '' : `; ${refused.length} refused, ${times(refused)}`;
  print(`  ${what}: ${taken.length} signed, ${times(taken)}${refusals}; ${failed} failed`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
