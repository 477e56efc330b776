import { readFileSync } from 'node:fs';
import { counted } from '@tollfree/contract/counted';
import { entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { findFeeModel } from '../../../core/gas/fees/find-fee-model.ts';
import { type ForkName, type GasSchedule, readGasSchedule } from '../../../core/gas/gas-schedule.ts';
import { listStepPrices } from '../../../core/gas/list-step-prices.ts';
import { tryOverrides } from '../../../core/gas/simulation/override-call.ts';
import { createFindSimulationCode } from '../../../core/gas/simulation/simulation-code.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { clockFault } from '../../../core/node/followed-chain.ts';
import { explainNodeFailure, overridesUnsupported } from '../../../core/node/node-error.ts';
import { p256InSolidity, readP256 } from '../../../core/node/p256-precompile.ts';
import { readDepositAt, readDepositLogs } from '../../../core/node/read-deposits.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { configuredContracts } from '../../paymaster-contract/configured-contract.ts';
import { type Check, type Findings, type FindingsAbout, findingsAbout } from '../finding.ts';

/** A slower node is overtaken by the next one, in milliseconds. */
const slowMs = 1_000;
/** Blocks of events per query, as in the ledger's queries. */
const widthOfQuestion = 1_000n;

export function checkNodes(chain: ChainSection, clients: readonly ChainClient[]): readonly Check[] {
  return clients.map((client, index) => {
    const about = `chain ${chain.chainId}, node ${index + 1}`;
    return { about, run: () => checkNode(chain, client, findingsAbout(about)) };
  });
}

async function checkNode(chain: ChainSection, client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const begunAt = performance.now();
  const chainId = await client.getChainId().catch(explainNodeFailure);
  const tookMs = Math.round(performance.now() - begunAt);
  if (typeof chainId !== 'number') return find.failure('node-silent', chainId.text, chainId.remedy);
  if (chainId !== chain.chainId) {
    const remedy = 'Use the URL of a node of this chain in nodeUrls, or correct its chainId.';
    return find.failure('node-other-chain', `It is a node of chain ${chainId}.`, remedy);
  }
  const answers = find.ok('node-answers', `It responds for chain ${chainId} in ${tookMs} ms.`);
  const slow = find.warning(
    'node-slow',
    `It took ${tookMs} ms to respond.`,
    'Put a faster node before it in nodeUrls.',
  );
  // Separately, since concurrent questions would delay it.
  const distance = await checkDistance(chain, client, find);
  const rest = await Promise.all([
    checkHead(chain, client, find),
    checkOverrides(client, find),
    checkGasSchedule(chain, client, find),
    checkP256(client, find),
    checkHistory(chain, client, find),
  ]);
  return [tookMs > slowMs ? slow : answers, distance, ...rest].flat();
}

async function checkHead(chain: ChainSection, client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const block = await client.getBlock().catch(() => undefined);
  if (block === undefined) {
    return find.failure(
      'node-no-head',
      'It does not report its newest block.',
      'Use another node; this one is not in sync.',
    );
  }
  const fault = clockFault(Math.floor(Date.now() / 1_000), Number(block.timestamp), chain.maxClockDifferenceSeconds);
  if (fault === undefined) return find.ok('node-head', `Its newest block, ${block.number}, is recent enough.`);
  const remedy = `Set this machine's clock (timedatectl set-ntp true). If it is right, the node is behind: wait until it is in sync, or raise maxClockDifferenceSeconds (${chain.maxClockDifferenceSeconds}) for a chain with rare blocks.`;
  return find.failure('node-clock', `Nothing is signed because of it: ${fault}.`, remedy);
}

async function checkOverrides(client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const tried = await tryOverrides(client);
  if (tried.ok) return find.ok('node-overrides', 'It simulates with state overrides.');
  const message =
    tried.refusal === overridesUnsupported
      ? 'It does not support eth_call with state overrides, which every gas limit is estimated and checked with.'
      : 'It fails where operations are simulated.';
  return find.failure(
    'node-overrides',
    message,
    'Add a node to nodeUrls that supports it: geth, reth, Erigon and Nethermind do.',
  );
}

/** Checks what gas the chain charges, as its node measures it. */
async function checkGasSchedule(chain: ChainSection, client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const [found, dataFee] = await Promise.all([
    readGasSchedule(client),
    // A node that shows no code is a finding of its own.
    findFeeModel(client, chain).catch(() => 'unknown'),
  ]);
  if (!found.ok) {
    const remedy = 'Add a node to nodeUrls that runs eth_call with state overrides and contract creation.';
    return find.warning('node-gas', 'The chain’s gas costs could not be measured.', remedy);
  }
  const { schedule, isKnown } = found.value;
  const name = forkTitles[schedule.fork];
  const prices = pricesText(schedule);
  if (isKnown) {
    return find.ok('node-gas', `The chain charges gas like ${name}: ${prices}. Its fee model is ${dataFee}.`);
  }
  const message = `The chain’s gas prices are those of no known fork. All limits are computed from what was measured: ${prices}. Its fee model is ${dataFee}.`;
  return find.ok('node-gas', message);
}

function pricesText(schedule: GasSchedule): string {
  return listStepPrices(schedule)
    .map(([step, gas]) => `${step} ${gas}`)
    .join(', ');
}

/** For accounts with passkeys. A chain without it is fine. */
async function checkP256(client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const isThere = await readP256(client);
  if (isThere === undefined) return [];
  const message = isThere
    ? 'The chain verifies passkeys with its P-256 precompile (RIP-7212, EIP-7951).'
    : p256InSolidity;
  return find.ok('node-p256', message);
}

const forkTitles: Readonly<Record<ForkName, string>> = { prague: 'Prague', osaka: 'Osaka', glamsterdam: 'Glamsterdam' };

/** The history that the ledger needs: the state some blocks ago, and the logs of many blocks. */
async function checkHistory(chain: ChainSection, client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const head = await client.getBlockNumber().catch(() => undefined);
  const [contract] = configuredContracts(chain);
  if (head === undefined || contract === undefined) return [];
  const confirmed = head > BigInt(chain.confirmations) ? head - BigInt(chain.confirmations) : 0n;
  const first = confirmed > widthOfQuestion ? confirmed - widthOfQuestion + 1n : 0n;
  const [state, logs] = await Promise.allSettled([
    readDepositAt(client, { entryPoint: contract.entryPoint, contract: contract.address }, confirmed),
    readDepositLogs(client, {
      entryPoint: contract.entryPoint,
      contracts: [{ address: contract.address }],
      fromBlock: first,
      toBlock: confirmed,
    }),
  ]);
  return [
    state.status === 'fulfilled'
      ? find.ok('node-state', `It has the state of ${counted(chain.confirmations, 'block')} ago.`)
      : find.failure(
          'node-state',
          `It no longer has the state of ${counted(chain.confirmations, 'block')} ago, which the ledger is compared with.`,
          'Lower confirmations, or use a node that keeps more states (an archive node keeps all).',
        ),
    logs.status === 'fulfilled'
      ? find.ok('node-logs', `It returns the logs of ${counted(confirmed - first + 1n, 'block')}.`)
      : find.warning(
          'node-logs',
          `It refuses the logs of ${counted(confirmed - first + 1n, 'block')} at once, so the ledger requests fewer and takes longer to catch up.`,
          'Use a node or plan with a wider range of eth_getLogs, and set startBlock to the block of your first deposit.',
        ),
  ];
}

/** Round trip time in milliseconds from which the number of round trips matters. */
const farMs = 20;
/** The shortest of these trials counts: any of them may have been delayed. */
const trials = 5;

/** Whether this machine restarts TCP slow start after idle time; undefined if unknown. */
type ReadSlowStart = () => boolean | undefined;

/**
 * How far a node is. Unless it is on chain, the simulation code is sent with every question: by default Linux needs up to
 * three round trips for that on a connection that was idle for a second, and one on others.
 */
export async function checkDistance(
  chain: Pick<ChainSection, 'entryPoints' | 'confirmations'>,
  client: ChainClient,
  find: FindingsAbout,
  readSlowStart: ReadSlowStart = readSlowStartAfterIdle,
): Promise<Findings> {
  const ms = await shortestRoundTrip(client);
  if (ms === undefined) return [];
  const isSlow = ms >= farMs && readSlowStart() === true && (await sendsCode(chain, client));
  if (!isSlow) return find.ok('node-distance', `A round trip to it takes ${ms} ms.`);
  return find.warning(
    'node-far',
    `A round trip to it takes ${ms} ms, and a new operation waits for up to three: this machine sends slowly over connections that were idle for a second.`,
    'Set net.ipv4.tcp_slow_start_after_idle to 0 (sysctl, or sysctls of the container), or deploy the simulation code on chain: tollfree simulation-code deploy.',
  );
}

/** In whole milliseconds; undefined when it does not answer. */
async function shortestRoundTrip(client: ChainClient): Promise<number | undefined> {
  const taken: number[] = [];
  for (let trial = 0; trial < trials; trial += 1) {
    const begunAt = performance.now();
    if ((await client.getChainId().catch(() => undefined)) === undefined) return undefined;
    taken.push(performance.now() - begunAt);
  }
  return Math.round(Math.min(...taken));
}

/** Whether the simulation code of any EntryPoint is not on chain. */
async function sendsCode(
  { entryPoints, confirmations }: Pick<ChainSection, 'entryPoints' | 'confirmations'>,
  client: ChainClient,
): Promise<boolean> {
  const find = createFindSimulationCode(client, confirmations);
  for (const version of entryPointVersions) {
    const entryPoint = entryPoints[version];
    const code = entryPoint === undefined ? undefined : await find(entryPoint, version);
    if (code?.ok === true && code.value.inFull === undefined) return true;
  }
  return false;
}

function readSlowStartAfterIdle(): boolean | undefined {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_slow_start_after_idle', 'utf8').trim() === '1';
  } catch {
    // Only Linux has it.
    return undefined;
  }
}
