import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { Secret } from '../../core/base/values/secret.ts';
import { sampleOperation } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { pimlicoSingleton07 } from '../../core/evm/paymaster-contracts/singleton/pimlico-singleton-packed.ts';
import { createSigner } from '../../core/evm/signer/create-signer.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { startPostgres } from '../../tools/start-postgres.ts';
import { measureOperationCosts, type OperationCosts } from '../support/relay/operation-costs.ts';
import { type BenchProcess, startBenchService } from './bench-process.ts';
import type { BenchTarget } from './bench-target.ts';
import { openCheckout } from './checkout.ts';
import { startFloors } from './floors/start-floors.ts';
import { measureLoad, warmUp } from './load.ts';
import { type NodeSeconds, readBackground } from './node-seconds.ts';
import { type OpenPeer, startPeers } from './peers/start-peers.ts';
import { pinCores } from './pin-cores.ts';
import { type RequestKind, type RequestKindName, requestKinds } from './request-kinds.ts';
import type { BenchResults, BenchRow } from './results/bench-results.ts';
import { formatOperation, formatRatios, formatRow, tableHead } from './row-text.ts';

/**
 * `npm run bench`: the service next to the bare loop of digest and signature, split in two, and next to itself on a disk that
 * forgets, in one run, as ratios. Processor time and ratios say more than requests a second where the machine has other work.
 *
 * `-- 3` gives each measurement three seconds, `--only 'new, given'` measures the row of that name alone, `--connections 16`
 * with so many connections alone, `--peers` others next to it, `--postgres` the service at a PostgreSQL server, with one core and more, `--floors` what its
 * packages take with nothing decided, `--code-on-chain` has the code that simulates on the chain. `--beside COMMIT` measures that
 * commit, or the checkout in a folder, in alternation, with `--rounds 8` in so many pairs of processes, since two processes of the same
 * code differ by up to a tenth for as long as they run. `--json FILE` writes all results, of which `npm run bench:chart` makes pages.
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    only: { type: 'string', multiple: true },
    connections: { type: 'string', multiple: true },
    peers: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    floors: { type: 'boolean', default: false },
    'code-on-chain': { type: 'boolean', default: false },
    beside: { type: 'string' },
    rounds: { type: 'string', default: '1' },
  },
});
const seconds = Number(positionals[0] ?? 5);
const connectionCounts = flags.connections?.map(Number) ?? [1, 16, 32];
const kindNames = (Object.keys(requestKinds) as RequestKindName[]).filter(isWanted);
const splitNames = (['SPONSORED', 'new, given'] as const).filter((name) => isWanted(`split, ${name}`));
/** Cores at one PostgreSQL server. */
const coreCounts = [1, 2];
/** Where files are kept in memory: a commit waits for nothing there. */
const memoryFolder = '/dev/shm';

type Measured = { readonly name: string; readonly target: BenchTarget; readonly kind: RequestKind };
const rows: BenchRow[] = [];

const besideRoot = flags.beside === undefined ? undefined : openCheckout(flags.beside);
const ownArgs = flags['code-on-chain'] ? ['--code-on-chain'] : [];
const durable = await startBenchService(ownArgs);
const processor = cpus()[0]?.model ?? 'unknown processor';
const pinning = pinCores(durable.target);
const { paymaster, entryPoint } = durable.target;
const bare = await measureBareLoop({ address: paymaster, entryPoint }, 3_000);
print(`${processor}, Node.js ${process.version}; ${pinning}`);
print(`bare loop of digest and signature, one core: ${Math.round(bare)}/s\n`);
print(tableHead);
if (besideRoot === undefined) await measureKinds(durable.target, []);
else await measureBeside(durable, besideRoot);
if (flags.peers) await measurePeers(durable.target);
if (flags.floors) await measureFloors(durable.target);
await durable.stop();
if (splitNames.length > 0) await measureSplit();
if (existsSync(memoryFolder) && isWanted('in memory')) await measureInMemory();
if (flags.postgres) for (const cores of coreCounts) await measurePostgres(cores);
const operations = isWanted('one operation') ? await measureOperations() : [];
if (flags.json !== undefined) {
  const results: BenchResults = {
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    processor,
    node: process.version,
    cores: availableParallelism(),
    pinning,
    secondsEach: seconds,
    bareLoopPerSecond: bare,
    rows,
    operations: [...operations],
  };
  writeFileSync(flags.json, `${JSON.stringify(results, null, 2)}\n`);
}

function isWanted(name: string): boolean {
  return flags.only?.includes(name) ?? true;
}

/** All kinds on the service, and on that of another commit where there is one. */
async function measureKinds(target: BenchTarget, beside: readonly BenchTarget[]): Promise<void> {
  for (const name of kindNames) {
    const kind: RequestKind = requestKinds[name];
    await measureAll([
      { name, target, kind },
      ...beside.map((other) => ({ name: `beside, ${name}`, target: other, kind })),
    ]);
  }
}

/** This commit, which runs, and another one; both started again for each further round. */
async function measureBeside(running: BenchProcess<BenchTarget>, root: string): Promise<void> {
  const rounds: BenchRow[][] = [];
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    const own = round === 0 ? running : await startBenchService(ownArgs);
    pinCores(own.target);
    const other = await startBenchService([], { root });
    const before = rows.length;
    await measureKinds(own.target, [other.target]);
    rounds.push(rows.slice(before));
    await other.stop();
    if (round > 0) await own.stop();
  }
  print('\nthis commit, compared with the other one');
  for (const name of kindNames) {
    for (const connections of connectionCounts) {
      const turns = rounds.map((round) => {
        const of = (named: string) => round.filter((row) => row.name === named && row.connections === connections);
        return { own: of(name), other: of(`beside, ${name}`) };
      });
      print(formatRatios({ name, connections }, turns));
    }
  }
}

async function measureSplit(): Promise<void> {
  const split = await startBenchService(['--split']);
  print(`\ngateway and core in two processes; ${pinCores(split.target)}`);
  for (const name of splitNames) {
    await measureAll([{ name: `split, ${name}`, target: split.target, kind: requestKinds[name] }]);
  }
  await split.stop();
}

/** What it costs that holds are on disk before they are answered. */
async function measureInMemory(): Promise<void> {
  const forgetful = await startBenchService([memoryFolder]);
  print(`\nSPONSORED with the database in memory; ${pinCores(forgetful.target)}`);
  await measureAll([{ name: 'in memory', target: forgetful.target, kind: requestKinds.SPONSORED }]);
  await forgetful.stop();
}

/** A server of its own for each, which waits for its disk as it does where it is installed. */
async function measurePostgres(cores: number): Promise<void> {
  const server = await startPostgres({ settings: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'] });
  const service = await startBenchService(['--database', server.url, '--cores', String(cores)]);
  print(`\n${cores} at a PostgreSQL server on this machine; ${pinCores(service.target)}`);
  for (const name of (['SPONSORED', 'new, given'] as const).filter(isWanted)) {
    const row = `PostgreSQL, ${cores}, ${name}`;
    await measureAll([{ name: row, target: service.target, kind: requestKinds[name] }]);
  }
  await service.stop();
  await server.stop();
}

/** What the packages take alone, before anything is decided. */
async function measureFloors(target: BenchTarget): Promise<void> {
  for (const { name, target: location, kind, stop } of await startFloors(target)) {
    await measureAll([{ name, target: location, kind }]);
    await stop();
  }
}

/** Others, and how many times as fast they are as ours. */
async function measurePeers(target: BenchTarget): Promise<void> {
  const peers: readonly OpenPeer[] = await startPeers(target);
  for (const peer of peers) {
    await measureAll([{ name: peer.name, target: peer.target, kind: peer.kind }]);
    for (const row of rows.filter(({ name }) => name === peer.name)) {
      const ours = rows.filter(({ name, connections }) => name in requestKinds && connections === row.connections);
      const ratios = ours.map((own) => `${own.name} ${(own.decisionsPerSecond / row.decisionsPerSecond).toFixed(2)}`);
      print(`  of it, with ${row.connections}: ${ratios.join('; ')}`);
    }
    await peer.stop();
  }
}

/** One operation with a paymaster contract and relayed, each on a chain that has no other work. */
async function measureOperations(): Promise<readonly OperationCosts[]> {
  const signer = generatePrivateKey();
  const devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(signer) });
  const costs = await measureOperationCosts(devnet, signer);
  await devnet.close();
  print('\none operation, from its first question to its receipt');
  for (const one of costs) print(formatOperation(one));
  return costs;
}

/** Each with each number of connections. Several take turns, there and back, so that a machine that gets slower is so to all. */
async function measureAll(measured: readonly Measured[]): Promise<void> {
  const able = measured.filter(({ target, kind }) => (kind.tokens ?? 0) <= (target.tokens?.length ?? 0));
  const warm: { readonly warmUpSeconds: number; readonly background: NodeSeconds | undefined }[] = [];
  for (const { target, kind } of able) {
    const warmUpSeconds = await warmUp(target, kind);
    warm.push({ warmUpSeconds, background: await readBackground(target) });
  }
  const turns = able.length < 2 ? [...able.entries()] : [...able.entries(), ...[...able.entries()].reverse()];
  for (const connections of connectionCounts) {
    for (const [index, { name, target, kind }] of turns) {
      const { warmUpSeconds = 0, background } = warm[index] ?? {};
      const result = await measureLoad(target, kind, { connections, seconds, background });
      const row = { name, connections, ratio: result.decisionsPerSecond / bare, warmUpSeconds, ...result };
      rows.push(row);
      print(formatRow(row));
    }
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Digest and signature alone, on one core: signatures per second over the given milliseconds. */
async function measureBareLoop(
  location: { readonly address: Address; readonly entryPoint: Address },
  milliseconds: number,
): Promise<number> {
  const signer = await createSigner({ kind: 'raw', privateKey: new Secret(generatePrivateKey()) });
  const contract = { chainId: 31_337, ...location };
  const operation = sampleOperation(pimlicoSingleton07);
  const signedTerms = {
    mode: 'SPONSORED',
    validUntil: 2_000_000_000,
    validAfter: 1,
    fundingWallet: '0x1111111111111111111111111111111111111111',
    priceMarkup: 1_000_000,
  } as const;
  const run = async (nonce: bigint): Promise<void> => {
    const { unsigned, digest } = pimlicoSingleton07.prepare(contract, { ...operation, nonce }, signedTerms);
    pimlicoSingleton07.assemble(unsigned, await signer.signDigest(digest));
  };
  for (let nonce = 0n; nonce < 2_000n; nonce += 1n) await run(nonce);
  const start = performance.now();
  let nonce = 0n;
  while (performance.now() - start < milliseconds) {
    for (let step = 0; step < 100; step += 1) await run(nonce++);
  }
  return Number(nonce) / ((performance.now() - start) / 1_000);
}
