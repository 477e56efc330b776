import { type Address, getAddress, type Hex, numberToHex, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { VendorConfig } from '../../core/domain/chain-config.ts';
import { accepted } from '../../server/accepted.ts';
import { type DevBundler, startDevBundler } from '../../server/dev/bundler/start-dev-bundler.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { incrementsOf, newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import {
  balanceOf,
  freeOperation,
  freeOperationOf,
  newExecutor,
  sendBundle,
  transfer,
} from '../support/relay/relay-lab.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.8';
const executor = privateKeyToAccount(deriveDevKey(8));

/** Another paymaster that would answer while a tank is empty. What is relayed is never for it. */
const vendor: VendorConfig = {
  url: new Secret('http://127.0.0.1:9/'),
  context: {},
  accounts: 'all',
  paymasters: ['0x0000000000000000000000000000000000000009'],
  budget: { usdMicrosPerDay: 1_000_000_000n, usdMicrosPerMonth: 10_000_000_000n, maxSharePerClient: 1 },
  maxPaymasterGas: 200_000,
  timeoutMs: 1_000,
};

let service: RunningService;
let devnet: Devnet;
let bundler: DevBundler;
let relay: Address;
let paymaster: LabPaymaster & { readonly wallet: LocalAccount };

beforeAll(async () => {
  service = await startService({
    configure: async (config, chain) => {
      const [first] = config.chains;
      if (first === undefined) throw new Error('There is no chain.');
      bundler = await startDevBundler({ devnet: chain, config: first, account: executor, port: 0 });
      const { url } = bundler;
      const relayed = { kind: 'ALTO', url, executors: [executor.address], entryPoint: version } as const;
      return { ...config, chains: [{ ...first, relay: relayed, vendor }] };
    },
  });
  devnet = service.devnet;
  relay = getAddress(devnet.entryPoints[version]);
  paymaster = await openRelayPaymaster();
});
afterAll(async () => {
  await service.close();
  await bundler.close();
});

async function openRelayPaymaster(value = parseEther('5')) {
  const wallet = await walletWith(devnet, parseEther('100'));
  const opened = await openPaymaster(service, version);
  await chooseWallet(opened, wallet);
  await opened.management.setPolicy({ apiKey: opened.apiKey, policy: { relay: 'PREFER' } });
  await transfer(devnet, wallet, { to: executor.address, value });
  await vi.waitFor(() => expect(tankOf(wallet).funded).toBe(value), 30_000);
  return { ...opened, wallet };
}

function tankOf(wallet: LocalAccount) {
  return readTank(service.config.database, relay, wallet.address);
}

function relayOperation(operation: DevUserOperation, over: Record<string, string> = {}, of: LabPaymaster = paymaster) {
  const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0', ...over };
  return askRpc(of.rpcUrl, 'tollfree_relayUserOperation', [sent, relay, numberToHex(devnet.chainId), {}]);
}

async function checkContractLedgers() {
  const reports = accepted(await service.core.checkLedger({ allRows: true }));
  const own = reports.find(({ contract }) => contract === relay);
  expect(own).toMatchObject({ state: 'compared', difference: 0n, faults: [] });
  expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
}

describe('a relayed operation', () => {
  test('lands without a paymaster, and its tank pays what the bundle cost', async () => {
    const account = newSmartAccount(version);
    const operation = await freeOperation(devnet, account);
    const before = { tank: tankOf(paymaster.wallet), executor: await balanceOf(devnet, [executor]) };
    const answer = await relayOperation(operation);
    expect(answer.message).toBeUndefined();
    expect(answer.result).toBe(await readUserOperationHash(devnet, operation));
    expect(await incrementsOf(devnet, operation.sender)).toBe(1n);
    const cost = before.executor - (await balanceOf(devnet, [executor]));
    await vi.waitFor(() => expect(tankOf(paymaster.wallet).settled - before.tank.settled).toBe(cost), 30_000);
    expect(tankOf(paymaster.wallet).held).toBe(0n);
    await checkContractLedgers();
    const next = await freeOperation(devnet, account);
    expect((await relayOperation(next)).message).toBeUndefined();
    expect(await incrementsOf(devnet, operation.sender)).toBe(2n);
  });

  test('is in the statement, which adds up with the usage to the wei', async () => {
    const { management, apiKey } = paymaster;
    // What landed last may be settled between two answers.
    await vi.waitFor(async () => {
      const { tanks } = await management.readGasTankStatement({ apiKey });
      const rows = await management.getUsage({ apiKey, by: 'via' });
      const { relay: ledger } = await management.readGasTank({ apiKey });
      const used = rows.find(({ key }) => key === 'relay');
      expect(used?.landed).toBeGreaterThan(0);
      expect(tanks.find(({ payer }) => payer === 'RELAY')).toMatchObject({
        fundingWallet: paymaster.wallet.address,
        deposited: { wei: parseEther('5').toString() },
        operations: used?.landed,
        spent: { wei: ledger?.settled, usd: used?.chargeUsd },
        closing: (BigInt(ledger?.funded ?? 0) - BigInt(ledger?.settled ?? 0)).toString(),
      });
      expect(used?.charge).toBe(ledger?.settled);
    }, 10_000);
  });

  test('is in the overview with all that its paymaster spent, as usage and statement have it', async () => {
    const { management, apiKey, paymasterId } = paymaster;
    // Each reads at its own moment, and operations of the tests before may be posted between two.
    await vi.waitFor(async () => {
      const [{ tanks }, rows, { paymasters }] = await Promise.all([
        management.readGasTankStatement({ apiKey }),
        management.getUsage({ apiKey, by: 'via' }),
        management.getOverview(),
      ]);
      const shown = paymasters.find((one) => one.paymasterId === paymasterId)?.days ?? [];
      const sumOf = (amounts: readonly (string | number)[]) => amounts.reduce((sum, one) => sum + BigInt(one), 0n);
      expect(sumOf(shown.map(({ landed }) => landed))).toBeGreaterThan(0n);
      for (const sum of ['charge', 'landed', 'usersPaid'] as const) {
        expect(sumOf(shown.map((day) => day[sum]))).toBe(sumOf(rows.map((row) => row[sum])));
      }
      expect(sumOf(tanks.map(({ spent }) => spent.wei))).toBe(sumOf(rows.map(({ charge }) => charge)));
      expect(sumOf(tanks.map(({ usersPaid }) => usersPaid.wei))).toBe(sumOf(rows.map(({ usersPaid }) => usersPaid)));
    }, 10_000);
  });

  test('is prepared with limits that it is accepted with, from a draft with fees', async () => {
    const account = newSmartAccount(version);
    const draft = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const sent = toRpcUserOperation(draft);
    const params = [sent, relay, numberToHex(devnet.chainId), {}];
    const { result, message } = await askRpc(paymaster.rpcUrl, 'tollfree_prepareRelay', params);
    expect(message).toBeUndefined();
    expect(result).toMatchObject({ maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' });
    const limits = Object.fromEntries(
      Object.entries(result as Record<string, string>).map(([name, value]) => [name, BigInt(value)]),
    );
    const answer = await relayOperation(await freeOperation(devnet, account, limits));
    expect(answer.message).toBeUndefined();
    expect(await incrementsOf(devnet, draft.sender)).toBe(1n);
  });

  test('is refused where the policy says so, where it pays, and where it names a paymaster', async () => {
    const operation = await freeOperationOf(devnet, version);
    await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'NEVER' } });
    expect((await relayOperation(operation)).message).toMatch(/field relay is NEVER/);
    await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER' } });
    expect((await relayOperation(operation, { maxFeePerGas: '0x1' })).message).toMatch(/maxFeePerGas must be 0/);
    const named = await relayOperation(operation, { paymaster: relay });
    expect(named.message).toMatch(/paymaster must be left out/);
    expect(await incrementsOf(devnet, operation.sender)).toBe(0n);
  });

  test('is not accepted without money, and holds nothing when the bundler refuses it', async () => {
    const poor = await openRelayPaymaster(1n);
    const operation = await freeOperationOf(devnet, version);
    const refused = await relayOperation(operation, {}, poor);
    expect(refused.reason).toBe('INSUFFICIENT_FUNDS');
    const spoiled: DevUserOperation = { ...operation, signature: `0x${'11'.repeat(64)}1b` as Hex };
    const unsigned = await relayOperation(spoiled);
    expect(unsigned.reason).toBe('BUNDLER_REFUSED');
    expect(tankOf(paymaster.wallet).held).toBe(0n);
    expect(readHolds(service.config.database, relay, paymaster.wallet.address).at(-1)?.state).toBe('released');
    expect((await relayOperation(operation)).message).toBeUndefined();
    await vi.waitFor(() => expect(tankOf(paymaster.wallet).held).toBe(0n), 30_000);
    await checkContractLedgers();
  });

  test('that is sent like any other is relayed, since it has no fees and no paymaster', async () => {
    const operation = await freeOperationOf(devnet, version);
    const sent = { ...toRpcUserOperation(operation), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
    const answer = await askRpc(paymaster.rpcUrl, 'eth_sendUserOperation', [sent, relay]);
    expect(answer.result).toBe(await readUserOperationHash(devnet, operation));
    await vi.waitFor(() => expect(tankOf(paymaster.wallet).held).toBe(0n), 30_000);
    const holds = readHolds(service.config.database, relay, paymaster.wallet.address);
    expect(holds.filter(({ sender }) => sender === operation.sender).map(({ state }) => state)).toEqual(['settled']);
    await checkContractLedgers();
  });

  test('that is sent twice is one hold and one operation', async () => {
    const operation = await freeOperationOf(devnet, version);
    const [one, other] = await Promise.all([relayOperation(operation), relayOperation(operation)]);
    const hash = await readUserOperationHash(devnet, operation);
    expect([one.result, other.result]).toContain(hash);
    await vi.waitFor(() => expect(tankOf(paymaster.wallet).held).toBe(0n), 30_000);
    const holds = readHolds(service.config.database, relay, paymaster.wallet.address);
    expect(holds.filter(({ sender }) => sender === operation.sender).map(({ state }) => state)).toEqual(['settled']);
    await checkContractLedgers();
  });

  test('that someone else has landed already costs the tank nothing', { timeout: 240_000 }, async () => {
    const operation = await freeOperationOf(devnet, version);
    const { settled } = tankOf(paymaster.wallet);
    await sendBundle(devnet, await newExecutor(devnet), [operation]);
    await relayOperation(operation);
    // The block of that bundle ends the hold. Where the service had read it before, its sweep of used nonces does, which looks at
    // holds of a minute once a minute.
    await devnet.client.mine({ blocks: 1 });
    await vi.waitFor(() => expect(tankOf(paymaster.wallet).held).toBe(0n), 180_000);
    expect(tankOf(paymaster.wallet).settled).toBe(settled);
    await checkContractLedgers();
  });
});
