import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { incrementCall, sponsoredContext } from '../../../server/dev/demo-operations.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { rpcCall } from '../../../server/dev/rpc-call.ts';
import { buildUserOperation, signUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation } from '../../../server/dev/user-operation/entry-point.ts';
import { startBenchProcess, startBenchService } from '../bench-process.ts';
import type { KeptMemory } from '../bench-target.ts';
import { memoryOf } from '../growth/memory-of.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';

/**
 * `npm run bench:soak`: whether a service that works at a steady rate keeps more and more: new calls that a webhook is asked
 * about, one of them in a second on to its landing and its notification. `--minutes 20`, `--rate 20` calls a second. Memory is
 * measured after a collection. It begins with `--fill 24000` calls as fast as they go, which fill what the service remembers:
 * its largest memories of operations, of given and of estimated limits, have 10,000 each.
 */
const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '20' },
    fill: { type: 'string', default: '24000' },
  },
});
const minutes = Number(flags.minutes);
const rate = Number(flags.rate);
const betweenSamplesMs = Math.min(10_000, (minutes * 60_000) / 30);
/** Part of the samples that is left out: what the filling has left behind goes in it. */
const warmUpPart = 1 / 5;
const fillingAtOnce = 16;
const kinds = [requestKinds['new, given'], requestKinds['new, estimated']] as const;

const failures = new Map<string, number>();
const counts = { signed: 0, failed: 0, landed: 0, notLanded: 0 };
const hook = await startBenchProcess<{ readonly url: string }>('soak/hook.ts', []);
const service = await startBenchService(['--hook', hook.target.url], { execArgv: ['--expose-gc'] });
const { target } = service;
if (target.nodeUrl === undefined || target.paymasterSigner === undefined) throw new Error('The service has no chain.');
const devnet = await startDevnet({ port: 0, nodeUrl: target.nodeUrl, paymasterSigner: target.paymasterSigner });

type Sample = KeptMemory & { readonly minute: number; readonly rss: number; readonly files: number };
const samples: Sample[] = [];
await Promise.all(Array.from({ length: fillingAtOnce }, fill));
const start = performance.now();
const elapsedMinutes = () => (performance.now() - start) / 60_000;
const open = new Set<Promise<void>>();
await Promise.all([ask(), land(), sample()]);
await Promise.all(open);
report(await hook.ask('calls'));
await service.stop();
await hook.stop();

async function fill(): Promise<void> {
  for (let asked = 0; asked < Number(flags.fill) / fillingAtOnce; asked += 1) {
    const body = requestOf(kindOf(asked).bodies[0], target, nextNonceKey());
    note(await (await fetch(target.rpcUrl, { method: 'POST', ...body })).text());
  }
}

/** Each kind has a memory of its own in the service. */
function kindOf(asked: number) {
  return kinds[asked % kinds.length] ?? kinds[0];
}

/** Asks at the rate, however long answers take. */
async function ask(): Promise<void> {
  for (let asked = 0; elapsedMinutes() < minutes; asked += 1) {
    const due = start + (asked * 1_000) / rate;
    if (due > performance.now()) await pause(due - performance.now());
    const body = requestOf(kindOf(asked).bodies[0], target, nextNonceKey());
    const asking = fetch(target.rpcUrl, { method: 'POST', ...body })
      .then(async (response) => note(await response.text()))
      .catch((error: Error) => note(error.message))
      .finally(() => open.delete(asking));
    open.add(asking);
  }
}

function note(answer: string): void {
  if (answer.includes('"result"')) counts.signed += 1;
  else noteFailure(answer);
}

/** By its reason and message without numbers: which client and which block says nothing. */
function noteFailure(answer: string): void {
  const [, message = answer] = /"message":"([^"]*)"/.exec(answer) ?? [];
  const [, reason = 'no answer'] = /"reason":"(\w+)"/.exec(answer) ?? [];
  const name = `${reason}: ${message.replaceAll(/0x[0-9a-fA-F]+|\d+/g, '…').slice(0, 200)}`;
  failures.set(name, (failures.get(name) ?? 0) + 1);
  counts.failed += 1;
}

async function land(): Promise<void> {
  while (elapsedMinutes() < minutes) {
    await landOperation(devnet, target.rpcUrl).then(
      () => {
        counts.landed += 1;
      },
      (error: Error) => {
        counts.notLanded += 1;
        const name = `not landed: ${error.message.split('\n')[0]?.slice(0, 200)}`;
        failures.set(name, (failures.get(name) ?? 0) + 1);
      },
    );
    await pause(1_000);
  }
}

async function sample(): Promise<void> {
  while (elapsedMinutes() < minutes) {
    await pause(betweenSamplesMs);
    const kept = (await service.ask('memory')) as KeptMemory;
    const files = readdirSync(`/proc/${service.pid}/fd`).length;
    samples.push({ ...kept, files, rss: memoryOf(service.pid).now, minute: elapsedMinutes() });
  }
}

function report(hookCalls: unknown): void {
  const warm = samples.slice(Math.floor(samples.length * warmUpPart));
  print(
    `${minutes} minutes: ${counts.signed} signed, ${counts.failed} failed, ${counts.landed} landed, ${counts.notLanded} not`,
  );
  print(`${hookCalls} calls of the webhook; ${samples.length} samples, of which ${warm.length} after the warm-up`);
  for (const [name, count] of failures) print(`  ${count} × ${name}`);
  const megabyte = 1024 * 1024;
  line('heap after collection, MB', warm, ({ heapUsed }) => heapUsed / megabyte);
  line('external, MB', warm, ({ external }) => external / megabyte);
  line('resident, MB', warm, ({ rss }) => rss);
  line('handles', warm, ({ handles }) => handles);
  line('open files and sockets', warm, ({ files }) => files);
}

function line(name: string, warm: readonly Sample[], of: (sample: Sample) => number): void {
  const values = warm.map(of);
  const rise = slope(warm.map((one) => ({ time: one.minute, value: of(one) })));
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
  print(
    `${name}: first ${first.toFixed(1)}, last ${last.toFixed(1)}, ${range}, slope ${(rise * 60).toFixed(2)} an hour`,
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const quantity = z.union([z.string(), z.int()]).transform((value) => BigInt(value));
const signedSchema = z.object({
  paymasterAndData: z.templateLiteral(['0x', z.string()]),
  preVerificationGas: quantity,
  verificationGasLimit: quantity,
  callGasLimit: quantity,
});

/** Has an account of no one's sponsored, deploys it and makes one call: a whole operation, from request to block. */
async function landOperation(devnet: Devnet, rpcUrl: string): Promise<void> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const salt = BigInt(`0x${randomUUID().replaceAll('-', '')}`);
  const built = await buildUserOperation(devnet, { version: '0.7', owner: owner.address, salt }, [
    incrementCall(devnet),
  ]);
  const params = [toRpcUserOperation(built), sponsoredContext];
  const signed = await rpcCall(rpcUrl, 'pm_sponsorUserOperation', params, signedSchema);
  const operation = await signUserOperation(devnet, { ...built, ...signed }, owner);
  await handleUserOperation(devnet, operation, privateKeyToAccount(deriveDevKey(0)));
}

/** By how much the values rise for each unit of time: the slope of the straight line that is nearest to them (least squares). */
function slope(points: readonly { readonly time: number; readonly value: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const time = mean(points.map((point) => point.time));
  const value = mean(points.map((point) => point.value));
  const covariance = mean(points.map((point) => (point.time - time) * (point.value - value)));
  const variance = mean(points.map((point) => (point.time - time) ** 2));
  return variance === 0 ? 0 : covariance / variance;
}
