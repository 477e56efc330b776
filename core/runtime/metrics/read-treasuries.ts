import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric-registry.ts';
import { refillBlocks } from '../../domain/chain-config.ts';
import { readSentInDay } from '../../ledger/treasury/transfers.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import type { Store } from '../../store/store.ts';
import { gauge } from './gauge.ts';

/** The hot wallets. Only the leading process knows their balances, and what prevents topping up. */
export async function readTreasuries(
  store: Store,
  chains: ReadonlyMap<number, ChainRuntime>,
  now: number,
): Promise<readonly Metric[]> {
  const found = await Promise.all(
    [...chains].flatMap(([chainId, { treasury }]) =>
      treasury === undefined
        ? []
        : [
            readSentInDay(store.db, chainId, now).then(({ all: sent }) => ({
              chain: String(chainId),
              sent,
              ...treasury,
            })),
          ],
    ),
  );
  return [
    gauge(coreMetrics.treasurySent, found, ({ chain, sent }) => ({ labels: { chain }, value: Number(sent) })),
    gauge(coreMetrics.treasuryCap, found, ({ chain, maxPerDay }) => ({ labels: { chain }, value: Number(maxPerDay) })),
    gauge(coreMetrics.treasuryWallet, found, ({ chain, address: wallet, status }) => {
      const balance = status()?.walletBalance;
      return balance === undefined ? [] : [{ labels: { chain, wallet }, value: Number(balance) }];
    }),
    gauge(coreMetrics.treasuryBlocked, found, ({ chain, status }) => {
      const now = status();
      if (now === undefined) return [];
      return refillBlocks.map((reason) => ({ labels: { chain, reason }, value: now.block === reason ? 1 : 0 }));
    }),
  ];
}
