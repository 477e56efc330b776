import { type Address, getAddress, type Hex, numberToHex, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectCore } from '../../core/grpc/client.ts';
import { accepted } from '../../server/accepted.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { newSmartAccount, nextOperation, type SmartAccount, targetCall } from '../support/chain/chain-lab.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { costOf, freeOperation, newExecutor, sendBundle, transfer } from '../support/relay/relay-lab.ts';
import { type RpcServer, respondError, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { openTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

// Relayed operations through the compiled program with shipped defaults, before a bundler that takes everything: what the sponsor
// loses by each is at most what was held, and what the operator loses is the gas of a bundle.

const version = '0.8';
const executor = privateKeyToAccount(deriveDevKey(8));
const filled = parseEther('5');
const patience = { timeout: 30_000, interval: 50 };
/** Accepts every signature once 16,000 of its verification gas are left, of which the EntryPoint takes 15,000. Burns all gas of its call. */
const burner: Hex = '0x5f3560e01c6319822f7c146012575b600e565b5a613e801060125760205ff3';
const alwaysReverts: Hex = '0x5f5ffd';

let bundler: RpcServer;
const hashes = new Map<string, string>();
const operationKey = (sender: string, nonce: bigint) => `${getAddress(sender)}:${nonce}`;
const service = useProductionService({
  settings: async () => {
    bundler = await startRpcServer((request, response) => {
      if (request.method !== 'boost_sendUserOperation') return respondError(response, request, -32601, 'unknown');
      const { sender, nonce } = request.params[0] as { sender: Address; nonce: Hex };
      respondResult(response, request, hashes.get(operationKey(sender, BigInt(nonce))));
    });
    const relay = { kind: 'ALTO', executors: [executor.address], entryPoint: version };
    return { chain: { bundler: { url: bundler.url, relay } } };
  },
});
afterAll(() => bundler.close());

const relayOf = () => getAddress(service().devnet.entryPoints[version]);

async function filledTank(): Promise<ProductionTank> {
  const tank = await openTank(service(), { family: version, policy: { relay: 'PREFER' } });
  await transfer(service().devnet, tank.wallet, { to: executor.address, value: filled });
  await mineConfirmations(service().devnet);
  await vi.waitFor(async () => expect((await moneyOf(tank)).available).toBe(filled), patience);
  return tank;
}

async function moneyOf({ management, apiKey }: ProductionTank) {
  const { relay } = await management.readGasTank({ apiKey });
  if (relay === undefined) throw new Error('There is no relay.');
  return { available: BigInt(relay.available), held: BigInt(relay.held), settled: BigInt(relay.settled) };
}

/** What no tank paid for, in wei: the operator did. The ledger is the executors' balance to the wei. */
async function operatorPaid(): Promise<bigint> {
  await mineConfirmations(service().devnet);
  const { core, close } = connectCore({ address: service().coreAddress });
  try {
    return await vi.waitFor(async () => {
      const reports = accepted(await core.checkLedger({ allRows: true }));
      const own = reports.find(({ contract }) => contract === relayOf());
      const { client } = service().devnet;
      expect(own?.atBlock).toBeGreaterThanOrEqual((await client.getBlockNumber()) - 10n);
      expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [] });
      return own?.unexplainedCosts ?? 0n;
    }, patience);
  } finally {
    close();
  }
}

async function relayed(operation: DevUserOperation, { rpcUrl }: ProductionTank) {
  const { devnet } = service();
  hashes.set(operationKey(operation.sender, operation.nonce), await readUserOperationHash(devnet, operation));
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  return askRpc(rpcUrl, 'tollfree_relayUserOperation', [sent, relayOf(), numberToHex(devnet.chainId), {}]);
}

/** The limits that the service itself finds for a draft: an attacker asks for as much room as there is. */
async function prepared(
  account: SmartAccount,
  { rpcUrl }: ProductionTank,
  roomPercent = 100n,
): Promise<DevUserOperation> {
  const { devnet } = service();
  const draft = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const params = [toRpcUserOperation(draft), relayOf(), numberToHex(devnet.chainId), {}];
  const { result, message } = await askRpc(rpcUrl, 'tollfree_prepareRelay', params);
  expect(message).toBeUndefined();
  const limits = result as Readonly<Record<string, Hex>>;
  const limit = (name: string) => (BigInt(limits[name] ?? 0) * roomPercent) / 100n;
  return freeOperation(devnet, account, {
    callGasLimit: limit('callGasLimit'),
    verificationGasLimit: limit('verificationGasLimit'),
    preVerificationGas: limit('preVerificationGas'),
  });
}

/** An account that is on chain. */
async function deployed(): Promise<SmartAccount> {
  const { devnet } = service();
  const account = newSmartAccount(version);
  await sendBundle(devnet, await newExecutor(devnet), [await freeOperation(devnet, account)]);
  return account;
}

/** Accepted, and held for. */
async function accept(operation: DevUserOperation, tank: ProductionTank): Promise<bigint> {
  const answer = await relayed(operation, tank);
  expect(answer.message).toBeUndefined();
  const { held } = await moneyOf(tank);
  expect(held).toBeGreaterThan(0n);
  return held;
}

/** What the tank has paid once nothing is held any more. */
async function settled(tank: ProductionTank): Promise<bigint> {
  await mineConfirmations(service().devnet);
  await vi.waitFor(async () => expect((await moneyOf(tank)).held).toBe(0n), patience);
  return (await moneyOf(tank)).settled;
}

const report = (what: string, numbers: Readonly<Record<string, bigint>>) =>
  process.stdout.write(
    `${what}: ${Object.entries(numbers)
      .map(([name, wei]) => `${name} ${wei}`)
      .join(', ')}\n`,
  );

describe('a relayed operation', () => {
  let tank: ProductionTank;
  beforeAll(async () => {
    tank = await filledTank();
  });

  test('whose call reverts is refused, and pays what it used when the account makes it revert afterwards', async () => {
    const { devnet } = service();
    const account = await deployed();
    const { sender } = await freeOperation(devnet, account);
    const pay = { ...targetCall(devnet, 'pay'), value: 1n };
    const { callData } = await nextOperation(devnet, account, [pay]);
    const asked = bundler.requests.length;
    const broke = await relayed(await freeOperation(devnet, account, { callData }), tank);
    expect(broke.reason).toBe('ESTIMATION_FAILED');
    expect(bundler.requests.length).toBe(asked);
    await devnet.client.setBalance({ address: sender, value: 1n });
    const operation = await freeOperation(devnet, account, { callData });
    const before = (await moneyOf(tank)).settled;
    const held = await accept(operation, tank);
    await devnet.client.setBalance({ address: sender, value: 0n });
    const receipt = await sendBundle(devnet, executor, [operation]);
    const paid = (await settled(tank)) - before;
    expect(paid).toBe(costOf(receipt));
    expect(paid).toBeLessThanOrEqual(held);
    report('reverts', { held, paid });
  });

  test('that has room for verification gas beyond its need is refused', async () => {
    const { devnet } = service();
    const greedy = await freeOperation(devnet, await deployed(), { verificationGasLimit: 3_000_000n });
    const refused = await relayed(greedy, tank);
    expect(refused).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    expect(await moneyOf(tank)).toMatchObject({ held: 0n });
  });

  test('whose account burns all its gas in the bundle, and did not when it was checked, costs what was held at most', async () => {
    const { devnet } = service();
    const account = await deployed();
    const honest = await prepared(account, tank);
    const { settled: first } = await moneyOf(tank);
    await accept(honest, tank);
    await sendBundle(devnet, executor, [honest]);
    const usual = (await settled(tank)) - first;

    const operation = await prepared(account, tank, 120n);
    const before = (await moneyOf(tank)).settled;
    const held = await accept(operation, tank);
    await devnet.client.setCode({ address: operation.sender, bytecode: burner });
    const receipt = await sendBundle(devnet, executor, [operation]);
    expect(receipt.status).toBe('success');
    const paid = (await settled(tank)) - before;
    expect(paid).toBe(costOf(receipt));
    expect(paid).toBeLessThanOrEqual(held);
    expect(paid).toBeGreaterThan(usual);
    report('changed account that burns', { held, paid, usual });
  });

  test('whose account fails validation in the bundle costs the operator that bundle, and the tank nothing', async () => {
    const { devnet } = service();
    const operation = await prepared(await deployed(), tank);
    const before = (await moneyOf(tank)).settled;
    const paidBefore = await operatorPaid();
    await accept(operation, tank);
    const code = await devnet.client.getCode({ address: operation.sender });
    await devnet.client.setCode({ address: operation.sender, bytecode: alwaysReverts });
    const failed = await sendBundle(devnet, executor, [operation]);
    expect(failed.status).toBe('reverted');
    const lost = (await operatorPaid()) - paidBefore;
    expect(lost).toBe(costOf(failed));
    const most = operation.verificationGasLimit + operation.preVerificationGas + 50_000n;
    expect(failed.gasUsed).toBeLessThanOrEqual(most);
    expect((await moneyOf(tank)).settled).toBe(before);
    // It is still held for, and lands once it is valid again.
    await devnet.client.setCode({ address: operation.sender, bytecode: code ?? '0x' });
    const landed = await sendBundle(devnet, executor, [operation]);
    expect((await settled(tank)) - before).toBe(costOf(landed));
    report('fails in the block', { lost, gas: failed.gasUsed });
  });

  test('that is sent many times, and with another tenant’s key, lands once and one tank pays', async () => {
    const { devnet } = service();
    const other = await filledTank();
    const operation = await prepared(await deployed(), tank);
    const before = [(await moneyOf(tank)).settled, (await moneyOf(other)).settled] as const;
    const held = await accept(operation, tank);
    const again = await Promise.all(Array.from({ length: 8 }, () => relayed(operation, tank)));
    expect(again.map(({ message }) => message)).toEqual(Array(8).fill(undefined));
    expect((await moneyOf(tank)).held).toBe(held);
    await accept(operation, other);
    const receipt = await sendBundle(devnet, executor, [operation]);
    const late = await sendBundle(devnet, executor, [operation]);
    expect(late.status).toBe('reverted');
    expect((await settled(tank)) - before[0]).toBe(costOf(receipt));
    expect((await settled(other)) - before[1]).toBe(0n);
  });

  test('that is copied to another bundler costs that bundler its gas, and the operator a late bundle', async () => {
    const { devnet } = service();
    const operation = await prepared(await deployed(), tank);
    const before = (await moneyOf(tank)).settled;
    const paidBefore = await operatorPaid();
    await accept(operation, tank);
    const stranger = await newExecutor(devnet);
    const copied = await sendBundle(devnet, stranger, [operation]);
    expect(copied.status).toBe('success');
    const late = await sendBundle(devnet, executor, [operation]);
    expect(late.status).toBe('reverted');
    expect(await settled(tank)).toBe(before);
    const lost = (await operatorPaid()) - paidBefore;
    expect(lost).toBe(costOf(late));
    report('copied', { lost, gas: late.gasUsed, paidByTheCopier: costOf(copied) });
  });
});
