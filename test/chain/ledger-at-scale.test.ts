import { EventEmitter, once } from 'node:events';
import { getAddress, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { LedgerReport } from '../../core/domain/ledger-report.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { depositOf, mineAt, tokenBalance } from '../support/chain/chain-lab.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { type NodeAddresses, type NodeProcess, prepareNodeProcess } from '../support/command-line/node-process.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { type Lane, openLane, prepare, runLane, send } from './scale-traffic.ts';
import { countHolds, landedInLedger, landedOnChain, tokensInLedger } from './scale-truth.ts';

const confirmations = 3;
const fundingKey = deriveDevKey(1);
const wallet = privateKeyToAccount(fundingKey).address;
const funded = parseEther('100');
/** How long the ledger may need to follow the chain on a busy machine. */
const patience = { timeout: 60_000, interval: 200 };
/** Accounts of each EntryPoint before and after the reorganisation, five operations each. */
const accountsEach = 7;
/** Requests under way when the service is killed, as many of three EntryPoints or of four. */
const atOnce = 96;
const answersBeforeKill = 10;

let service: NodeProcess;
let node: NodeAddresses;
const paymasters = new Map<EntryPointVersion, DevPaymaster>();
let lanes: readonly Lane[];
let tokenRecipientBefore: Readonly<Record<string, bigint>>;

beforeAll(async () => {
  service = await prepareNodeProcess(confirmations);
  const { devnet } = service;
  node = await service.start();
  const { core, close } = connectCore({ address: node.grpc });
  const { accountId } = accepted(await core.createAccount({ name: 'scale' }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'test' }));
  close();
  const management = createManagementClient({ baseUrl: node.url, authToken });
  for (const version of tabledEntryPoints) {
    const paymaster = await registerPaymaster({ devnet, management, gatewayUrl: node.url }, version, fundingKey);
    paymasters.set(version, paymaster);
  }
  await devnet.client.mine({ blocks: confirmations });
  lanes = tabledEntryPoints.map((version, index) => openLane(devnet, version, 4 + index));
  tokenRecipientBefore = await tokenRecipientTokens();
}, 120_000);
afterAll(() => service.close());

async function tokenRecipientTokens(): Promise<Readonly<Record<string, bigint>>> {
  const { devnet } = service;
  const balances = devnet.tokens.map(
    async (token) => [getAddress(token.address), await tokenBalance(devnet, token, devnet.tokenRecipient)] as const,
  );
  return Object.fromEntries(await Promise.all(balances));
}

function rpcUrl({ version }: Lane): string {
  return `${node.url}/api/v1/${service.devnet.chainId}/${paymasters.get(version)?.apiKey}`;
}

async function runAll(): Promise<void> {
  await Promise.all(lanes.map((lane) => runLane(service.devnet, lane, rpcUrl(lane), accountsEach)));
}

/** The last two blocks leave the chain, and their operations with them; their bundlers send them once more. */
async function reorganise(): Promise<number> {
  const { client } = service.devnet;
  const kept = (await client.getBlockNumber()) - 2n;
  await client.request({ method: 'anvil_reorg' as never, params: [2, []] as never });
  let dropped = 0;
  for (const lane of lanes) {
    const gone = lane.sent.filter(({ blockNumber }) => blockNumber > kept);
    dropped += gone.length;
    for (const { operation } of gone) await send(service.devnet, lane, operation);
  }
  return dropped;
}

/**
 * Kills the service while it answers, after a few answers, lands half of what it signed while it is down, and starts it
 * again.
 */
async function killUnderLoad(): Promise<{ answered: number; unanswered: number }> {
  const prepared = await Promise.all(
    [...Array(atOnce / lanes.length).keys()].flatMap(() => lanes.map((lane) => prepare(service.devnet, lane))),
  );
  const soFar: DevUserOperation[] = [];
  const enough = new EventEmitter();
  const asked = prepared.map(async ({ lane, ask, complete }) => {
    const operation = await ask(rpcUrl(lane));
    if (operation === undefined) return undefined;
    if (soFar.push(operation) === answersBeforeKill) enough.emit('reached');
    return { lane, complete: () => complete(operation) };
  });
  await Promise.race([once(enough, 'reached'), Promise.all(asked)]);
  await service.kill();
  const answered = (await Promise.all(asked)).filter((answer) => answer !== undefined);
  for (const { lane, complete } of answered.slice(0, Math.ceil(answered.length / 2))) {
    await send(service.devnet, lane, await complete());
  }
  node = await service.start();
  return { answered: answered.length, unanswered: atOnce - answered.length };
}

async function reports(): Promise<readonly LedgerReport[]> {
  const { core, close } = connectCore({ address: node.grpc });
  try {
    return accepted(await core.checkLedger({ allRows: false }));
  } finally {
    close();
  }
}

test('after 200 operations, a reorganisation and a kill, ledger and chain agree to the wei', async () => {
  const { devnet, databaseFile } = service;
  await runAll();
  const dropped = await reorganise();
  expect(dropped).toBeGreaterThan(0);
  const { answered, unanswered } = await killUnderLoad();
  expect(answered).toBeGreaterThanOrEqual(answersBeforeKill);
  await runAll();
  console.log(`\n${dropped} operations dropped and sent again; killed with ${unanswered} of ${atOnce} unanswered\n`);
  expect(lanes.reduce((sum, { signed }) => sum + signed, 0)).toBeGreaterThanOrEqual(200);

  // Nothing that was signed can land any more, and that is confirmed.
  await mineAt(devnet, Math.max(...lanes.map(({ validUntil }) => validUntil)) + 1);
  await devnet.client.mine({ blocks: confirmations });
  await vi.waitFor(() => {
    for (const { contract } of lanes) expect(countHolds(databaseFile, contract).live).toBeUndefined();
  }, patience);

  const byContract = new Map((await reports()).map((report) => [report.contract, report]));
  for (const { version, contract, signed, sent } of lanes) {
    const onChain = await landedOnChain(devnet, version, contract);
    const settled = onChain.reduce((sum, { cost }) => sum + cost, 0n);
    expect(onChain.some(({ success }) => !success)).toBe(true);
    // What a reorganisation dropped was sent twice and is on chain once.
    expect(onChain.length).toBeLessThanOrEqual(sent.length);

    expect(new Set(landedInLedger(databaseFile, contract))).toEqual(new Set(onChain));
    expect(readTank(databaseFile, contract, wallet)).toEqual({ funded, settled, held: 0n });
    const holds = countHolds(databaseFile, contract);
    // A request that was never answered may have its hold, since that comes first.
    expect((holds.settled ?? 0) + (holds.released ?? 0)).toBeGreaterThanOrEqual(signed);
    expect(byContract.get(getAddress(contract))).toMatchObject({
      state: 'compared',
      difference: 0n,
      faults: [],
      bookDeposit: await depositOf(devnet, version, contract),
      chainDeposit: funded - settled,
      unexplainedCosts: 0n,
      unattributedDeposits: 0n,
      margin: 0n,
      shortfall: 0n,
    });
  }

  const tokenRecipient = await tokenRecipientTokens();
  const received = Object.fromEntries(
    Object.entries(tokenRecipient).map(([token, balance]) => [token, balance - (tokenRecipientBefore[token] ?? 0n)]),
  );
  expect(Object.values(received).every((amount) => amount > 0n)).toBe(true);
  expect(tokensInLedger(databaseFile)).toEqual(received);
}, 240_000);
