import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { type Address, parseAbi } from 'viem';
import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { LabelsOf, Metric, MetricDefinition } from '../../base/metrics/metric-registry.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { DatabaseAddress } from '../../base/values/database-address.ts';
import { refillBlocks } from '../../domain/chain-config.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import { listStepPrices } from '../../gas/list-step-prices.ts';
import { readSentInDay } from '../../ledger/hot-wallet/transfers.ts';
import { readShortTanks, type ShortTanks } from '../../ledger/ledger-metrics.ts';
import type { ChainRuntime } from '../../sponsorship/run/sponsorship-parts.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';

/** The size of the database, and the free space on its disk; unknown for another machine's disk. */
export async function readDatabaseSize(store: Store, database: DatabaseAddress): Promise<readonly Metric[]> {
  if (database.kind === 'postgres') {
    const size = sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`;
    const { rows } = await size.execute(store.db);
    return [bytesOf({ main: rows[0]?.bytes ?? 0 })];
  }
  const { file } = database;
  const disk = await statfs(dirname(file));
  return [
    bytesOf({ main: await sizeOf(file), wal: await sizeOf(`${file}-wal`) }),
    gauge(coreMetrics.databaseFree, [disk], ({ bavail, bsize }) => ({ labels: {}, value: bavail * bsize })),
  ];
}

function bytesOf(sizes: Readonly<Record<string, number>>): Metric {
  return gauge(coreMetrics.databaseBytes, Object.entries(sizes), ([file, value]) => ({ labels: { file }, value }));
}

/** 0 for a missing file: SQLite creates and removes the second one itself. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** How many notifications wait, from an index with only those. */
export async function readPending(store: Store): Promise<readonly Metric[]> {
  const pending = await store.read(async (snapshot) => {
    const row = await snapshot
      .selectFrom('notification_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('pending'))
      .where('state', '=', sql.lit('pending'))
      .executeTakeFirst();
    return row?.pending ?? 0;
  });
  return [gauge(coreMetrics.notificationsPending, [pending], (value) => ({ labels: {}, value }))];
}

/** A paymaster contract with its last known deposit, in wei. */
type SeenContract = { readonly chainId: number; readonly contract: Address; readonly chainDeposit: bigint };

/** The contracts' deposits, and the part without holds. Chains without recent readings are left out. */
export async function readDeposits(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
): Promise<readonly Metric[]> {
  const totals = await store.db
    .selectFrom('contract_totals_with_held')
    .select(['chain_id', 'contract', 'held'])
    .execute();
  const seen = seenContracts(chains).map((one) => {
    const total = totals.find(({ chain_id, contract }) => chain_id === one.chainId && contract === one.contract);
    return { ...one, held: total === undefined ? 0n : fromWeiText(total.held) };
  });
  return [
    gauge(coreMetrics.deposit, seen, (one) => ({ labels: labelsOf(one), value: Number(one.chainDeposit) })),
    gauge(coreMetrics.contractAvailable, seen, (one) => ({
      labels: labelsOf(one),
      value: Number(one.chainDeposit - one.held),
    })),
  ];
}

/** The tanks in use of each contract; those that run out first get labels of their own. `now` in Unix seconds. */
export async function readTanks(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
  now: number,
): Promise<readonly Metric[]> {
  const found: (SeenContract & ShortTanks)[] = [];
  // Sequentially, so that other readers get a turn in between.
  for (const location of seenContracts(chains)) {
    found.push({ ...location, ...(await store.read((snapshot) => readShortTanks(snapshot, location, now))) });
  }
  const tanks = found.flatMap((one) =>
    one.tanks.map((tank) => ({ ...tank, labels: { ...labelsOf(one), wallet: tank.wallet } })),
  );
  return [
    gauge(coreMetrics.tanksInUse, found, (one) => ({ labels: labelsOf(one), value: one.inUse })),
    gauge(coreMetrics.tanksLow, found, (one) => ({ labels: labelsOf(one), value: one.low })),
    gauge(coreMetrics.tankAvailable, tanks, ({ labels, available }) => ({ labels, value: Number(available) })),
    gauge(coreMetrics.tankDays, tanks, ({ labels, daysLeft }) => ({ labels, value: daysLeft })),
  ];
}

function seenContracts(chains: ReadonlyMap<number, ChainRuntime>): readonly SeenContract[] {
  return [...chains].flatMap(([chainId, { watcher }]) =>
    [...(watcher.view()?.deposits ?? [])].map(([contract, chainDeposit]) => ({ chainId, contract, chainDeposit })),
  );
}

function labelsOf({ chainId, contract }: SeenContract) {
  return { chain: String(chainId), contract };
}

/** The known state of each chain, its nodes and its relay, without asking any of them. */
export function readChains(chains: ReadonlyMap<number, ChainRuntime>): readonly Metric[] {
  const all = [...chains].map(([chainId, { client, nodes, watcher, accountReader, relay }]) => ({
    chain: String(chainId),
    prices: listStepPrices(gasScheduleOf(client)),
    view: watcher.view(),
    contract: relay?.contract.location.address ?? '',
    nodes: (nodes?.() ?? []).map((state, index) => ({ ...state, node: String(index + 1) })),
    addedCodes: accountReader.addedCodes(),
  }));
  return [
    gauge(coreMetrics.nodeRests, all, ({ chain, nodes }) =>
      nodes.map(({ node, host, rests }) => ({ labels: { chain, node, host }, value: rests ? 1 : 0 })),
    ),
    gauge(coreMetrics.nodeHead, all, ({ chain, nodes }) =>
      nodes.flatMap(({ node, head }) => (head === undefined ? [] : [{ labels: { chain, node }, value: Number(head) }])),
    ),
    gauge(coreMetrics.chainHeadTime, all, ({ chain, view }) =>
      view === undefined ? [] : [{ labels: { chain }, value: view.headTime }],
    ),
    gauge(coreMetrics.stepGas, all, ({ chain, prices }) =>
      prices.map(([step, gas]) => ({ labels: { chain, step }, value: Number(gas) })),
    ),
    gauge(coreMetrics.executorBalance, all, ({ chain, contract, view }) =>
      [...(view?.executors ?? [])].map(([executor, balance]) => ({
        labels: { chain, contract, executor },
        value: Number(balance),
      })),
    ),
    gauge(coreMetrics.addedCodes, all, ({ chain, addedCodes }) => ({ labels: { chain }, value: addedCodes })),
  ];
}

/** Only the operator changes stakes, and rarely. In milliseconds. */
const servesMs = 600_000;

/** Every EntryPoint has this function. */
const stakeAbi = parseAbi([
  'function getDepositInfo(address account) view returns (uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)',
]);

type Stake = { readonly chainId: number; readonly contract: Address; readonly stake: bigint };

/** Reads the stakes of all paymaster contracts, cached for ten minutes. Silent nodes are left out. */
export function createStakeReader(chains: ReadonlyMap<number, ChainRuntime>, clock: Clock): () => Promise<Metric> {
  let last: { readonly stakes: readonly Stake[]; readonly at: number } | undefined;

  return async () => {
    if (last === undefined || Math.abs(clock.now() - last.at) >= servesMs) {
      const read = await Promise.allSettled([...chains.values()].flatMap((chain) => stakesOf(chain)));
      const stakes = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      if (stakes.length < read.length) return toMetric(stakes);
      last = { stakes, at: clock.now() };
    }
    return toMetric(last.stakes);
  };
}

function stakesOf({ config: { chainId }, client, contracts }: ChainRuntime): readonly Promise<Stake>[] {
  const locations = new Map([...contracts.values()].map(({ location }) => [location.address, location]));
  return [...locations.values()].map(async ({ address, entryPoint }) => {
    const args = [address] as const;
    const [, isStaked, stake] = await client.readContract({
      address: entryPoint,
      abi: stakeAbi,
      functionName: 'getDepositInfo',
      args,
    });
    return { chainId, contract: address, stake: isStaked ? stake : 0n };
  });
}

function toMetric(stakes: readonly Stake[]): Metric {
  return gauge(coreMetrics.stake, stakes, ({ chainId, contract, stake }) => ({
    labels: { chain: String(chainId), contract },
    value: Number(stake),
  }));
}

/** The hot wallets. Only the leading process knows their balances, and what prevents topping up. */
export async function readHotWallets(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
  now: number,
): Promise<readonly Metric[]> {
  const found = await Promise.all(
    [...chains].flatMap(([chainId, { hotWallet }]) =>
      hotWallet === undefined
        ? []
        : [readSentInDay(store.db, chainId, now).then((sent) => ({ chain: String(chainId), sent, ...hotWallet }))],
    ),
  );
  return [
    gauge(coreMetrics.hotWalletSent, found, ({ chain, sent }) => ({ labels: { chain }, value: Number(sent) })),
    gauge(coreMetrics.hotWalletCap, found, ({ chain, maxPerDay }) => ({ labels: { chain }, value: Number(maxPerDay) })),
    gauge(coreMetrics.hotWalletWallet, found, ({ chain, address: wallet, status }) => {
      const balance = status()?.walletBalance;
      return balance === undefined ? [] : [{ labels: { chain, wallet }, value: Number(balance) }];
    }),
    gauge(coreMetrics.hotWalletBlocked, found, ({ chain, status }) => {
      const now = status();
      if (now === undefined) return [];
      return refillBlocks.map((reason) => ({ labels: { chain, reason }, value: now.block === reason ? 1 : 0 }));
    }),
  ];
}

type Level<Form extends MetricDefinition> = { readonly labels: LabelsOf<Form>; readonly value: number };

/** The current level, for each set of labels. An item can have several levels, or none. */
export function gauge<const Form extends MetricDefinition, Item>(
  { name, kind, help }: Form,
  items: readonly Item[],
  levelOf: (item: Item) => Level<Form> | readonly Level<Form>[],
): Metric {
  return { name, kind, help, samples: items.flatMap(levelOf).map((level) => ({ ...level, suffix: '' })) };
}
