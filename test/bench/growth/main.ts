import { parseArgs } from 'node:util';
import { createManagementClient } from '../../../clients/sdk/create-management-client.ts';
import { managementPrefix } from '../../../contract/operation.ts';
import { usageDimensions } from '../../../core/domain/usage.ts';
import { type BenchProcess, startBenchProcess } from '../bench-process.ts';
import type { LedgerTarget } from '../ledger/ledger-service.ts';
import { measureLoad, warmUp } from '../load.ts';
import { requestKinds } from '../request-kinds.ts';
import { memoryOf } from './memory-of.ts';

/**
 * `npm run bench:growth`: what becomes slower, and what takes more memory, as a service grows in one direction: next to a small
 * one, in alternation. `--operations`, `--paymasters`, `--contracts` and `--chains` say how far, `--only operations` one
 * direction alone.
 */
const { values: flags } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    paymasters: { type: 'string', default: '100000' },
    contracts: { type: 'string', default: '999' },
    chains: { type: 'string', default: '50' },
    only: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '4' },
  },
});
const rounds = 3;
const connections = 16;
const seconds = Number(flags.seconds);
const readsOfEach = 30;
/** Reads above this are told of by name, in milliseconds. */
const slowMs = 100;
/** A read that is slow is not repeated for longer than this, in milliseconds. */
const maxReadMs = 15_000;

type Grown = {
  readonly operations: number;
  readonly paymasters: number;
  readonly contracts: number;
  readonly chains: number;
};
const small: Grown = { operations: 0, paymasters: 9, contracts: 0, chains: 1 };
const directions = ['paymasters', 'contracts', 'operations', 'chains'] as const;

const base = await startGrown(small);
await warmUp(base.target, requestKinds.SPONSORED);
out('small', base.target, await measureReads(base));
for (const direction of directions) {
  if (flags.only !== undefined && !flags.only.includes(direction)) continue;
  const count = Number(flags[direction]);
  const grown = await startGrown({ ...small, [direction]: count });
  await warmUp(grown.target, requestKinds.SPONSORED);
  const share = await compareLoad(grown.target);
  out(`${count} ${direction}`, grown.target, await measureReads(grown), share);
  await grown.stop();
}
await base.stop();

function startGrown({ operations, paymasters, contracts, chains }: Grown): Promise<BenchProcess<LedgerTarget>> {
  const openHolds = 0;
  const sizes = [operations, openHolds, paymasters, contracts, chains];
  return startBenchProcess<LedgerTarget>('ledger/ledger-service.ts', sizes.map(String));
}

type Share = { readonly throughput: number; readonly cpu: number };

/** The grown one's throughput and processor time in parts of the small one's: the middle of several rounds in alternation. */
async function compareLoad(grown: LedgerTarget): Promise<Share> {
  await warmUp(base.target, requestKinds.SPONSORED);
  const shares: Share[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofBase = await measureLoad(base.target, requestKinds.SPONSORED, { connections, seconds });
    const ofGrown = await measureLoad(grown, requestKinds.SPONSORED, { connections, seconds });
    if (ofBase.failures + ofGrown.failures > 0) print(`  failures: ${ofBase.failures}, ${ofGrown.failures}`);
    const cpu = (ofGrown.serviceCpuMs ?? 0) / (ofBase.serviceCpuMs ?? 1);
    shares.push({ throughput: ofGrown.decisionsPerSecond / ofBase.decisionsPerSecond, cpu });
  }
  const middle = (of: (share: Share) => number) => shares.map(of).sort((first, second) => first - second)[1] ?? 0;
  return { throughput: middle(({ throughput }) => throughput), cpu: middle(({ cpu }) => cpu) };
}

/** In seconds: it reads all rows of the ledger, which those after it do not. */
async function measureFirstCheck({ ask }: BenchProcess<LedgerTarget>): Promise<number> {
  const start = performance.now();
  await ask('check');
  return (performance.now() - start) / 1_000;
}

type Read = { readonly name: string; readonly p50: number; readonly p99: number; readonly count: number };

async function measureReads(grown: BenchProcess<LedgerTarget>): Promise<readonly Read[]> {
  const { target, ask } = grown;
  print(`  the first ledger check: ${(await measureFirstCheck(grown)).toFixed(1)} s`);
  const { authToken, apiKey } = target;
  const management = createManagementClient({ baseUrl: target.url, authToken, apiKey });
  const sender = '0x00000000000000000000000000000000000000aa';
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    tank: () => management.readGasTank(),
    entries: () => management.listGasTankEntries(),
    days: () => management.listGasTankDays(),
    statement: () => management.readGasTankStatement(),
    ...Object.fromEntries(usageDimensions.map((by) => [`usage by ${by}`, () => get(target, `usage?by=${by}`)])),
    decisions: () => management.listDecisions(),
    'decisions, signed': () => get(target, 'decision?outcome=signed'),
    'decisions of a sender': () => get(target, `decision?sender=${sender}`),
    'decisions, refused': () => get(target, 'decision?outcome=refused'),
    paymasters: () => management.listPaymasters(),
    metrics: async () => (await fetch(`${target.adminUrl}/metrics`)).text(),
    'ledger check': async () => {
      const faults = (await ask('check')) as readonly string[];
      for (const fault of faults) print(`  ${fault}`);
    },
  };
  const measured: Read[] = [];
  for (const [name, read] of Object.entries(reads)) measured.push({ name, ...(await timesOf(read)) });
  return measured;
}

async function timesOf(read: () => Promise<unknown>): Promise<Omit<Read, 'name'>> {
  const times: number[] = [];
  const end = performance.now() + maxReadMs;
  while (times.length < readsOfEach && performance.now() < end) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  times.sort((first, second) => first - second);
  const at = (part: number) => times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), count: times.length };
}

async function get({ url, authToken, apiKey }: LedgerTarget, path: string): Promise<void> {
  const answer = await fetch(`${url}${managementPrefix}/${path}`, {
    headers: { authtoken: authToken, apikey: apiKey },
  });
  const text = await answer.text();
  if (!answer.ok) print(`  ${path}: ${answer.status} ${text.slice(0, 200)}`);
}

function out(name: string, { openedMs, servicePid }: LedgerTarget, reads: readonly Read[], share?: Share): void {
  const { now, most } = memoryOf(servicePid);
  const beside =
    share === undefined
      ? ''
      : `, ${share.throughput.toFixed(2)} of the small one's decisions a second at ${share.cpu.toFixed(2)} of its processor time`;
  print(`${name}: started in ${(openedMs / 1_000).toFixed(2)} s, ${now} MB of memory (${most} at most)${beside}`);
  const under = (part: 'p50' | 'p99') => reads.filter((read) => read[part] < slowMs).length;
  print(`  of ${reads.length} reads ${under('p99')} are under ${slowMs} ms at p99, ${under('p50')} at p50`);
  for (const read of reads.filter(({ p99 }) => p99 >= slowMs)) print(`  ${describe(read)}`);
}

function describe({ name, p50, p99, count }: Read): string {
  return `${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${count}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
