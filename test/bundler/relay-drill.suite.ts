import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, getAddress, type Hex, numberToHex, parseAbi, parseEther } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { accepted } from '../../server/accepted.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type Anvil, startAnvil } from '../../server/dev/devnet/start-anvil.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, type SmartAccount } from '../support/chain/chain-lab.ts';
import { type NodeAddresses, type NodeProcess, prepareNodeProcess } from '../support/command-line/node-process.ts';
import { sourceProgram } from '../support/command-line/run-tollfree.ts';
import { scrape, sumOf } from '../support/metrics/scrape.ts';
import { freeOperation, transfer } from '../support/relay/relay-lab.ts';
import { readTank } from '../support/service/chain-ledger.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type Alto, startAlto } from './start-alto.ts';

// The processes of a relay die and its chain goes back while operations are under way: each lands once, and the ledger of the relay
// is the balance of its executor to the wei. `RELAY_OPERATIONS=200 npm run test:bundler -- relay-drill` has 200 of them.

const version = '0.8';
const executor = privateKeyToAddress(deriveDevKey(8));
const fundingKey = deriveDevKey(1);
const wallet = privateKeyToAccount(fundingKey);
const confirmations = 2;
const operationCount = Number(process.env.RELAY_OPERATIONS ?? 26);
/** How long processes on a busy machine may take. */
const patience = { timeout: 120_000, interval: 300 };
const nonceAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)']);

const folder = mkdtempSync(join(tmpdir(), 'tollfree-drill-'));
const stateFile = join(folder, 'chain.json');
let anvil: Anvil;
let devnet: Devnet;
let alto: Alto;
let service: NodeProcess;
let place: NodeAddresses;
let relay: Address;
let apiKey: string;
const portOf = (url: string) => Number(new URL(url).port);

const startChain = (port: number) => startAnvil({ port, chainId: 31_337, stateFile });
/** A bundle that is not mined is sent again at a higher price soon. */
const startBundler = (port?: number) => startAlto(devnet, port, { 'resubmit-stuck-timeout': 2_000 });

beforeAll(async () => {
  anvil = await startChain(0);
  service = await prepareNodeProcess(confirmations, {
    program: sourceProgram,
    openChain: (paymasterSigner) => startDevnet({ port: 0, nodeUrl: anvil.rpcUrl, paymasterSigner }),
  });
  devnet = service.devnet;
  relay = getAddress(devnet.entryPoints[version]);
  alto = await startBundler();
  const relayed = { kind: 'ALTO', executors: [executor], entryPoint: version };
  service.configureBundler({ url: alto.url, relay: relayed });
  place = await service.start();
  const { core, close } = connectCore({ address: place.grpc });
  const { accountId } = accepted(await core.createAccount({ name: 'drill' }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'test' }));
  close();
  const management = createManagementClient({ baseUrl: place.url, authToken });
  const paymaster = await registerPaymaster({ devnet, management, gatewayUrl: place.url }, version, fundingKey);
  apiKey = paymaster.apiKey;
  await management.setPolicy({ apiKey, policy: { relay: 'PREFER' } });
  const value = parseEther('10');
  await transfer(devnet, wallet, { to: executor, value });
  await devnet.client.mine({ blocks: confirmations });
  await vi.waitFor(() => expect(tank().funded).toBe(value), patience);
}, 300_000);
afterAll(async () => {
  await service?.close();
  await alto?.close();
  await anvil?.close();
  rmSync(folder, { recursive: true, force: true });
});

const tank = () => readTank(service.databaseFile, relay, wallet.address);
const nonceOf = (sender: Address) =>
  devnet.client.readContract({ address: relay, abi: nonceAbi, functionName: 'getNonce', args: [sender, 0n] });

/** Sends an operation as a client does that loses its connection: again, until it is accepted or has landed. */
async function relayed(operation: DevUserOperation): Promise<void> {
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const params = [sent, relay, numberToHex(devnet.chainId), {}];
  await vi.waitFor(async () => {
    const url = `${place.url}/api/v1/${devnet.chainId}/${apiKey}`;
    const { message } = await askRpc(url, 'tollfree_relayUserOperation', params);
    if (message === undefined || (await nonceOf(operation.sender)) > operation.nonce) return;
    throw new Error(message);
  }, patience);
}

/** The next operation of each account, given to the service at the same time. */
async function relayAll(accounts: readonly SmartAccount[]): Promise<readonly Promise<void>[]> {
  const operations = await Promise.all(accounts.map((account) => freeOperation(devnet, account)));
  return operations.map(relayed);
}

async function checkLedger() {
  const { core, close } = connectCore({ address: place.grpc });
  try {
    const reports = accepted(await core.checkLedger({ allRows: true }));
    const own = reports.find(({ contract }) => contract === relay);
    expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [], held: 0n });
    const balance = await devnet.client.getBalance({ address: executor, blockNumber: own?.atBlock ?? 0n });
    expect(own?.bookDeposit).toBe(balance);
    return own;
  } finally {
    close();
  }
}

/** All that is under way has landed, and is confirmed. Blocks are made for it. */
async function settled(): Promise<void> {
  const isSettled = async () => {
    await devnet.client.mine({ blocks: 1 });
    expect(tank().held).toBe(0n);
  };
  await vi.waitFor(isSettled, { timeout: 180_000, interval: 1_000 });
}

/** Hashes of the executor's transactions that wait to be mined, by nonce. */
async function pendingOf(address: Address): Promise<Readonly<Record<string, { hash: Hex }>>> {
  const { pending } = (await devnet.client.request({ method: 'txpool_content' as never })) as {
    pending: Record<string, Record<string, { hash: Hex }>>;
  };
  const found = Object.entries(pending).find(([sender]) => getAddress(sender) === address);
  return found?.[1] ?? {};
}

async function killAlto(accounts: readonly SmartAccount[]): Promise<void> {
  await devnet.client.setAutomine(false);
  await Promise.all(await relayAll(accounts));
  await alto.close();
  await devnet.client.setAutomine(true);
  alto = await startBundler(portOf(alto.url));
}

/** In the midst of requests, which are sent again to the next one. */
async function killCore(accounts: readonly SmartAccount[]): Promise<void> {
  const under = await relayAll(accounts);
  await Promise.race(under);
  await service.kill();
  place = await service.start();
  await Promise.all(under);
}

/** What waits in the pool of the node is lost with it. */
async function restartNode(accounts: readonly SmartAccount[]): Promise<void> {
  await devnet.client.setAutomine(false);
  await Promise.all(await relayAll(accounts));
  await anvil.close();
  expect(existsSync(stateFile)).toBe(true);
  anvil = await startChain(portOf(anvil.rpcUrl));
  await devnet.client.setAutomine(true);
}

/** The blocks of operations that have landed leave the chain. */
async function reorganise(accounts: readonly SmartAccount[]): Promise<void> {
  const operations = await Promise.all(accounts.map((account) => freeOperation(devnet, account)));
  await Promise.all(operations.map(relayed));
  await vi.waitFor(async () => {
    for (const { sender, nonce } of operations) expect(await nonceOf(sender)).toBe(nonce + 1n);
  }, patience);
  await devnet.client.request({ method: 'anvil_reorg' as never, params: [2, []] as never });
}

/** The base fee rises above what the bundle pays: alto replaces its transaction by one with a higher price, which is mined. */
async function replaceStuck(accounts: readonly SmartAccount[]): Promise<void> {
  await devnet.client.setAutomine(false);
  await Promise.all(await relayAll(accounts));
  const first = await vi.waitFor(async () => {
    const [entry] = Object.entries(await pendingOf(executor));
    if (entry === undefined) throw new Error('No bundle waits.');
    return { nonce: entry[0], hash: entry[1].hash };
  }, patience);
  const { maxFeePerGas } = await devnet.client.getTransaction({ hash: first.hash });
  const tooMuch = (maxFeePerGas ?? 0n) + 1n;
  const replaced = await vi.waitFor(async () => {
    await devnet.client.setNextBlockBaseFeePerGas({ baseFeePerGas: tooMuch });
    await devnet.client.mine({ blocks: 1 });
    const { transactions } = await devnet.client.getBlock({ includeTransactions: true });
    const mined = transactions.find(
      ({ from, nonce }) => getAddress(from) === executor && String(nonce) === first.nonce,
    );
    if (mined === undefined) throw new Error('No bundle was mined.');
    return mined.hash;
  }, patience);
  expect(replaced).not.toBe(first.hash);
  await devnet.client.setAutomine(true);
  process.stdout.write(`replaced ${first.hash} by ${replaced}\n`);
}

/** Nothing is accepted that the executor cannot pay for, and again once it has coin. */
async function runDry(accounts: readonly SmartAccount[]): Promise<void> {
  const balance = await devnet.client.getBalance({ address: executor });
  await devnet.client.setBalance({ address: executor, value: 1n });
  const [first] = accounts;
  if (first === undefined) return;
  const operation = await freeOperation(devnet, first);
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const params = [sent, relay, numberToHex(devnet.chainId), {}];
  const url = `${place.url}/api/v1/${devnet.chainId}/${apiKey}`;
  await vi.waitFor(async () => {
    const samples = await scrape(place.adminUrl);
    expect(sumOf(samples, 'tollfree_contract_deposit_wei', { contract: relay })).toBe(1);
  }, patience);
  expect((await askRpc(url, 'tollfree_relayUserOperation', params)).reason).toBe('INSUFFICIENT_FUNDS');
  expect(tank().held).toBe(0n);
  await devnet.client.setBalance({ address: executor, value: balance });
  await Promise.all(await relayAll(accounts));
}

const calm = async (accounts: readonly SmartAccount[]) => void (await Promise.all(await relayAll(accounts)));
const rounds = [
  ['calm', calm],
  ['stuck and replaced', replaceStuck],
  ...[0, 1, 2].flatMap(
    () =>
      [
        ['alto killed', killAlto],
        ['core killed', killCore],
        ['node restarted', restartNode],
      ] as const,
  ),
  ['reorg', reorganise],
  ['dry', runDry],
] as const;

test('operations land once and the ledger is the executor’s balance, whatever dies or goes back', async () => {
  const accounts = Array.from({ length: Math.ceil(operationCount / rounds.length) }, () => newSmartAccount(version));
  let landed = 0;
  for (const [name, disturb] of rounds) {
    await disturb(accounts);
    landed += accounts.length;
    await settled();
    const own = await checkLedger();
    process.stdout.write(
      `${name}: ${landed} operations, paid ${tank().settled} wei, own costs ${own?.unexplainedCosts} wei, ` +
        `ledger = balance = ${own?.bookDeposit}\n`,
    );
  }
  for (const account of accounts) {
    const { sender, nonce } = await freeOperation(devnet, account);
    expect(nonce).toBe(BigInt(rounds.length));
    expect(await nonceOf(sender)).toBe(nonce);
  }
  expect(tank().settled).toBeGreaterThan(0n);
}, 1_800_000);
