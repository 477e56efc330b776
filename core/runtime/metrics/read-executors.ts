import type { Address } from 'viem';
import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import { gauge } from './gauge.ts';

type Executor = { readonly chainId: number; readonly contract: Address; readonly executor: Address };

/** What each executor has: one that is dry sends nothing, while the others' coin still covers the tanks. */
export async function readExecutors(chains: ReadonlyMap<number, ChainRuntime>): Promise<readonly Metric[]> {
  const levels = await Promise.all(
    executorsOf(chains).map(async ({ chainId, contract, executor }) => {
      // Of a node that does not answer nothing is known, which has an alert of its own.
      const balance = await chains
        .get(chainId)
        ?.client.getBalance({ address: executor })
        .catch(() => undefined);
      const labels = { chain: String(chainId), contract, executor };
      return balance === undefined ? [] : [{ labels, value: Number(balance) }];
    }),
  );
  return [gauge(coreMetrics.executorBalance, levels.flat())];
}

function executorsOf(chains: ReadonlyMap<number, ChainRuntime>): readonly Executor[] {
  return [...chains].flatMap(([chainId, { relay }]) => {
    if (relay === undefined) return [];
    const { address: contract, executors = [] } = relay.contract.location;
    return executors.map((executor) => ({ chainId, contract, executor }));
  });
}
