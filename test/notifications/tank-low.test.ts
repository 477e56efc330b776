import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, encodeFunctionData, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Owned } from '../../core/domain/access/actor.ts';
import { adjustTank } from '../../core/ledger/tanks/adjust-tank.ts';
import { takeFromTanks } from '../../core/ledger/tanks/take-from-tanks.ts';
import { createManagement, type Management } from '../../core/management/create-management.ts';
import { createSponsorProfiles } from '../../core/paymasters/sponsor-profiles.ts';
import { openChain } from '../../core/runtime/open-chain.ts';
import { checkTanks } from '../../core/runtime/senders/check-tanks.ts';
import { startNotifications } from '../../core/runtime/senders/start-notifications.ts';
import type { ChainRuntime } from '../../core/sponsorship/run/sponsorship-parts.ts';
import { openStore } from '../../core/store/open-store.ts';
import { createSecretBox } from '../../core/store/secret-box.ts';
import type { Store } from '../../core/store/store.ts';
import { devCoreConfig, devPaymasterVersions } from '../../server/dev/dev-core-config.ts';
import { openDevState } from '../../server/dev/dev-state.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { accepted } from '../support/core/start-management.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { answerJson, startWebhookServer } from '../support/servers/webhook-server.ts';
import { createTestTimers } from './test-timers.ts';

const clock = Date;
const wallet = privateKeyToAccount(deriveDevKey(1));
const folder = mkdtempSync(join(tmpdir(), 'tollfree-tank-'));

let devnet: Devnet;
let store: Store;
let chain: ChainRuntime;
let chains: ReadonlyMap<number, ChainRuntime>;
let management: Management;
let config: ReturnType<typeof devCoreConfig>;
let accountId: string;
let names = 0;

beforeAll(async () => {
  const state = openDevState(folder);
  devnet = await leaseDevnet(privateKeyToAddress(state.signerKey.reveal()));
  config = devCoreConfig(devnet, state, await devnet.client.getBlockNumber());
  const [chainConfig] = config.chains;
  if (chainConfig === undefined) throw new Error('the development configuration has no chain');
  store = await openStore(config.database);
  const prepared = await openChain(chainConfig, { store, clock, logger: silentLogger });
  await prepared.connect();
  chain = prepared.runtime;
  chains = new Map([[chainConfig.chainId, chain]]);
  const profiles = createSponsorProfiles({ store, clock, masterKey: config.masterKey });
  management = createManagement({ store, profiles, config, clock, coinPrice: async () => undefined });
  ({ accountId } = accepted(await management.createAccount({ name: 'tanks' })));
});
afterAll(async () => {
  await chain.watcher.close();
  await store.close();
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A paymaster whose tank is the wallet's at the 0.7 contract, and 1 ether in it at the least. */
async function fundedPaymaster(funding = wallet): Promise<Owned> {
  names += 1;
  const fields = {
    name: `tank ${names}`,
    type: 'HYBRID',
    chainId: devnet.chainId,
    version: devPaymasterVersions['0.7'],
  };
  const { paymasterId } = accepted(await management.createPaymaster({ accountId, ...fields }));
  const owned = { accountId, paymasterId };
  const { fundingMessage } = accepted(await management.createFundingMessage(owned));
  const signature = await funding.signMessage({ message: fundingMessage });
  accepted(await management.setFundingWallet({ ...owned, signature, address: funding.address }));
  return owned;
}

const contract = (): Address => devnet.paymasterContracts['pimlico-singleton-0.7'];

async function deposit(value: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: parseAbi(['function depositTo(address)']), args: [contract()] });
  const to = devnet.entryPoints['0.7'];
  await sendInOrder(devnet.client, wallet, [{ description: 'a deposit', to, data, value, gas: 100_000n }]);
  await chain.watcher.catchUp();
}

async function reported(owned: Owned): Promise<readonly unknown[]> {
  const rows = await store.db
    .selectFrom('notification_deliveries')
    .select('payload')
    .where('paymaster_id', '=', owned.paymasterId)
    .orderBy('delivery_number')
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload));
}

async function available(): Promise<bigint> {
  const row = await store.db
    .selectFrom('tanks_with_held')
    .select(['funded', 'settled', 'held'])
    .where('wallet', '=', wallet.address)
    .executeTakeFirst();
  return row === undefined ? 0n : BigInt(row.funded) - BigInt(row.settled) - BigInt(row.held);
}

const url = 'http://127.0.0.1:9/events';
const look = () => checkTanks({ store, chains, clock });

test('tank.low is told once when the tank goes below the mark, and again only after it was above', async () => {
  await deposit(parseEther('1'));
  const owned = await fundedPaymaster();
  const mark = (await available()) + 1n;
  const rule = { events: ['tank.low'], tankLow: { thresholdWei: mark } };
  const { notificationId } = accepted(await management.createNotification({ ...owned, url, ...rule }));
  for (let round = 0; round < 3; round++) await look();
  expect(await reported(owned)).toEqual([
    {
      type: 'tank.low',
      notificationId,
      createdAt: expect.any(Number),
      paymasterId: owned.paymasterId,
      chainId: devnet.chainId,
      data: {
        contract: contract(),
        fundingWallet: wallet.address,
        available: (mark - 1n).toString(),
        tankLow: { thresholdWei: mark.toString() },
      },
    },
  ]);
  await deposit(1n);
  for (let round = 0; round < 2; round++) await look();
  expect(await reported(owned)).toHaveLength(1);
  const debit = { kind: 'debit', amount: 1n, reason: 'test' } as const;
  const tank = { chainId: devnet.chainId, contract: contract(), wallet: wallet.address };
  expect(await store.transaction((trx) => adjustTank(trx, { tank, ...debit }, 1_800_000_000))).toBe(true);
  for (let round = 0; round < 2; round++) await look();
  expect(await reported(owned)).toHaveLength(2);
});

test('a changed mark is told by again; an inactive destination and one without the event are not', async () => {
  const owned = await fundedPaymaster();
  const high = { thresholdWei: (await available()) + parseEther('1') };
  const create = async (events: readonly string[]) =>
    accepted(await management.createNotification({ ...owned, url, events, tankLow: high })).notificationId;
  const first = await create(['tank.low']);
  const inactive = await create(['tank.low']);
  accepted(await management.updateNotification({ ...owned, notificationId: inactive, active: false }));
  await create(['operation.failed']);
  await look();
  const higher = { thresholdWei: high.thresholdWei + 1n };
  accepted(await management.updateNotification({ ...owned, notificationId: first, tankLow: higher }));
  await look();
  await look();
  expect(await reported(owned)).toMatchObject([{ notificationId: first }, { notificationId: first }]);
});

test('a mark in days says nothing while nothing was spent, and a tank without a wallet is empty', async () => {
  const funded = await fundedPaymaster();
  const tankLow = { daysLeft: 3_650 };
  accepted(await management.createNotification({ ...funded, url, events: ['tank.low'], tankLow }));
  const { paymasterId } = accepted(
    await management.createPaymaster({
      accountId,
      name: 'no wallet',
      type: 'HYBRID',
      chainId: devnet.chainId,
      version: devPaymasterVersions['0.7'],
    }),
  );
  const empty = { accountId, paymasterId };
  accepted(await management.createNotification({ ...empty, url, events: ['tank.low'], tankLow: { thresholdWei: 1n } }));
  await look();
  expect(await reported(funded)).toEqual([]);
  expect(await reported(empty)).toMatchObject([{ type: 'tank.low', data: { available: '0' } }]);
});

test('a node that is silent is no empty tank', async () => {
  const owned = await fundedPaymaster(privateKeyToAccount(generatePrivateKey()));
  accepted(await management.createNotification({ ...owned, url, events: ['tank.low'], tankLow: { thresholdWei: 1n } }));
  const silent = { ...chain, watcher: { ...chain.watcher, view: () => undefined } };
  await checkTanks({ store, clock, chains: new Map([[devnet.chainId, silent]]) });
  expect(await reported(owned)).toEqual([]);
  await look();
  expect(await reported(owned)).toHaveLength(1);
});

test('the running part looks once a minute and sends what it finds', async () => {
  const owned = await fundedPaymaster();
  const receiver = await startWebhookServer(answerJson({}));
  const tankLow = { thresholdWei: (await available()) + 1n };
  accepted(await management.createNotification({ ...owned, url: receiver.url, events: ['tank.low'], tankLow }));
  let now = clock.now();
  const state = {
    now: () => now,
    advance: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
  const timers = createTestTimers(state);
  let delivered: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    delivered = resolve;
  });
  const debug = (_: object, message: string) => {
    if (message === 'notification delivered') delivered();
  };
  const running = startNotifications({
    store,
    chains,
    clock: state,
    timers,
    box: createSecretBox(config.masterKey),
    config: config.webhooks,
    logger: { ...silentLogger, debug },
  });
  timers.pass(59);
  expect(await reported(owned)).toEqual([]);
  timers.pass(1);
  await arrival;
  await running.close();
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toContain('tank.low');
  expect(await reported(owned)).toHaveLength(1);
});

test('a mark in days is told when the tank does not last them at the rate of the last week, and once', async () => {
  const owned = await fundedPaymaster();
  const rule = { events: ['tank.low'], tankLow: { daysLeft: 3 } };
  accepted(await management.createNotification({ ...owned, url, ...rule }));
  await look();
  expect(await reported(owned)).toEqual([]);
  const { tank_id: tankId } = await store.db
    .selectFrom('tanks')
    .select('tank_id')
    .where('wallet', '=', wallet.address)
    .executeTakeFirstOrThrow();
  const all = await available();
  const taken = {
    tankId,
    amount: all / 2n,
    cost: all / 2n,
    usersPaid: 0n,
    paymasterId: undefined,
  } as const;
  await store.transaction((trx) => takeFromTanks(trx, [taken], { now: Math.floor(clock.now() / 1_000) }));
  await look();
  expect(await reported(owned)).toEqual([]);
  const more = { ...taken, amount: all / 4n };
  await store.transaction((trx) => takeFromTanks(trx, [more], { now: Math.floor(clock.now() / 1_000) }));
  await look();
  await look();
  expect(await reported(owned)).toMatchObject([{ type: 'tank.low', data: { daysLeft: 2, tankLow: { daysLeft: 3 } } }]);
});
