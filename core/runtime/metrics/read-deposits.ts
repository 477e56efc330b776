import type { Address } from 'viem';
import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric-registry.ts';
import { readShortTanks, type ShortTanks } from '../../ledger/metrics/read-short-tanks.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { gauge } from './gauge.ts';

/** A paymaster contract with its last known deposit, in wei. */
type SeenContract = { readonly chainId: number; readonly contract: Address; readonly chainDeposit: bigint };

/** The contracts' deposits, and the part without holds. Chains without recent readings are left out. */
export async function readDeposits(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
): Promise<readonly Metric[]> {
  const totals = await store.db.selectFrom('contract_totals').select(['chain_id', 'contract', 'held']).execute();
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
