import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { concat, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi, slice } from 'viem';
import { createManagementClient } from '../../../clients/sdk/create-management-client.ts';
import { Secret } from '../../../core/base/values/secret.ts';
import { startPostgres } from '../../../tools/start-postgres.ts';
import { type BenchProcess, startBenchService } from '../bench-process.ts';
import type { BenchTarget, WatchedService } from '../bench-target.ts';
import { warmUp } from '../load.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';
import { readSizes, type StoredSizes } from './stored-sizes.ts';
import { timeBatch } from './time-batch.ts';

/**
 * `npm run bench:refusals`: what refused requests of one address leave on the disk and take of the others. One paymaster's key is
 * used for requests with a hundred calls of contracts that no one registered, 40 a second, while another paymaster is asked to
 * sponsor one operation after the other. Then how long a transaction takes that records 256 such requests. On SQLite and
 * PostgreSQL; `--seconds 30`, `--a-second 40`, `--on sqlite` with one of them alone.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    'a-second': { type: 'string', default: '40' },
    on: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
  },
});
const seconds = Number(flags.seconds);
const perSecond = Number(flags['a-second']);
const calls = 100;
const kind = requestKinds['new, given'];

for (const on of flags.on) {
  const server = on === 'postgres' ? await startPostgres() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-refusals-'));
  const url = server === undefined ? undefined : await makeDatabase(server.url);
  const database = url === undefined ? [] : ['--database', url];
  const service = await startBenchService([folder, '--turns', ...database], { execArgv: ['--expose-gc'] });
  const sizes = () => readSizes(url === undefined ? { folder } : { url });
  await warmUp(service.target, kind);
  print(on);
  const quiet = await measure(service, sizes, async () => 0);
  tell('no one else', quiet);
  const keyOfFlood = await registerOther(service.target);
  tell(`${perSecond} refused a second`, await measure(service, sizes, () => flood(service.target, keyOfFlood)));
  await service.stop();
  const times = await timeBatch(
    url === undefined ? { kind: 'sqlite', file: join(folder, 'batch.db') } : { kind: 'postgres', url: new Secret(url) },
  );
  print(`  a transaction with 256 of them: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
}
process.exit(0);

async function makeDatabase(server: string): Promise<string> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query('CREATE DATABASE tollfree_bench TEMPLATE template0');
  await client.end();
  const url = new URL(server);
  url.pathname = '/tollfree_bench';
  return url.href;
}

/** A paymaster of another account with one registered contract: where requests are sent. */
async function registerOther({ account, target, rpcUrl }: BenchTarget): Promise<string> {
  if (account === undefined) throw new Error('The service does not say how it is managed.');
  const management = createManagementClient({ baseUrl: account.url, authToken: account.authToken });
  const [known] = await management.listPaymasters();
  if (known === undefined) throw new Error('The service has no paymaster.');
  const { apiKey } = await management.createPaymaster({
    name: 'flood',
    chainId: known.chainId,
    version: known.version,
  });
  const abi = parseAbi(['function increment()']);
  await management.registerSmartContract({
    apiKey,
    name: 'Target',
    address: target,
    abi,
    whitelistedMethods: ['increment'],
  });
  return rpcUrl.replace(account.apiKey, apiKey);
}

type Measured = {
  readonly refused: number;
  readonly times: readonly number[];
  readonly longestTurnMs: number;
  readonly before: StoredSizes;
  readonly after: StoredSizes;
};

/** What one client waits while something happens, and what it leaves; times in milliseconds, sorted. */
async function measure(
  service: BenchProcess<BenchTarget>,
  sizes: () => Promise<StoredSizes>,
  happening: () => Promise<number>,
): Promise<Measured> {
  const before = await sizes();
  await service.ask('watch');
  const end = performance.now() + seconds * 1_000;
  const going = happening();
  const times: number[] = [];
  while (performance.now() < end) {
    const asked = performance.now();
    const response = await fetch(service.target.rpcUrl, {
      method: 'POST',
      ...requestOf(kind.bodies[0], service.target, nextNonceKey()),
    });
    const text = await response.text();
    if (!text.includes('"result"')) throw new Error(`It was refused: ${text}`);
    times.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const refused = await going;
  const { longestTurnMs } = (await service.ask('watch')) as WatchedService;
  return { refused, times: times.sort((first, second) => first - second), longestTurnMs, before, after: await sizes() };
}

/** Sends requests at a steady rate from one address; resolves to how many were refused. */
async function flood(target: BenchTarget, rpcUrl: string): Promise<number> {
  const sent: Promise<string>[] = [];
  for (let second = 0; second < seconds; second += 1) {
    for (let one = 0; one < perSecond; one += 1) {
      sent.push(send(rpcUrl, largeRequest(target, sent.length)));
      await new Promise((resolve) => setTimeout(resolve, 1_000 / perSecond));
    }
  }
  const answers = await Promise.all(sent);
  const refused = answers.filter((answer) => answer.includes('CONTRACT_NOT_REGISTERED')).length;
  if (refused < answers.length)
    print(`  answered otherwise: ${answers.find((answer) => !answer.includes('CONTRACT_NOT_REGISTERED'))}`);
  return refused;
}

async function send(rpcUrl: string, body: string): Promise<string> {
  try {
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return await response.text();
  } catch {
    return 'no answer';
  }
}

/** An operation of a new sender with a hundred calls, each of another contract and method: 16 KB of call data. */
function largeRequest({ senders: [sender] }: BenchTarget, number: number): string {
  const bytes = (index: number): Hex => keccak256(numberToHex(number * calls + index + 1));
  const all = Array.from({ length: calls }, (_, index) => bytes(index));
  const callData = encodeFunctionData({
    abi: parseAbi(['function executeBatch(address[] dest, uint256[] value, bytes[] func)']),
    args: [all.map((hash) => slice(hash, 0, 20)), all.map(() => 0n), all.map((hash) => slice(hash, 20, 24))],
  });
  const operation = {
    sender: number < 0 ? sender : slice(keccak256(concat([bytes(0), bytes(1)])), 0, 20),
    nonce: '0x0',
    callData,
    callGasLimit: '0x186a0',
    verificationGasLimit: '0x186a0',
    preVerificationGas: '0x40000',
    maxFeePerGas: '0x3b9aca00',
    maxPriorityFeePerGas: '0x3b9aca00',
    signature: '0x',
  };
  const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
  const context = {
    mode: 'SPONSORED',
    calculateGasLimits: false,
    sponsorshipInfo: { webhookData: {}, smartAccountInfo },
  };
  return JSON.stringify({ jsonrpc: '2.0', id: number, method: 'pm_getFeeQuoteOrData', params: [operation, context] });
}

function tell(what: string, { refused, times, longestTurnMs, before, after }: Measured): void {
  const at = (part: number) => (times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? 0).toFixed(0);
  print(
    `  ${what}: ${times.length} signed for another, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; longest turn ${longestTurnMs.toFixed(0)} ms`,
  );
  const grown = [...after.rows]
    .map(([table, rows]) => [table, rows - (before.rows.get(table) ?? 0)] as const)
    .filter(([, rows]) => rows > 0);
  const rows = grown.reduce((sum, [, count]) => sum + count, 0);
  print(
    `    ${rows} rows, ${((after.bytes - before.bytes) / 1e6).toFixed(1)} MB${refused === 0 ? '' : ` after ${refused} refused`}: ${grown.map(([table, count]) => `${table} ${count}`).join(', ')}`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
