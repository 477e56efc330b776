import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { Metric } from '../../base/metrics/metric-registry.ts';
import type { ChainRuntime } from '../../sponsorship/run/chain-runtime.ts';
import { gauge } from './gauge.ts';

/** The known state of each chain, its nodes and its relay, without asking any of them. */
export function readChains(chains: ReadonlyMap<number, ChainRuntime>): readonly Metric[] {
  const all = [...chains].map(([chainId, { nodes, watcher, accountReader, relay }]) => ({
    chain: String(chainId),
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
    gauge(coreMetrics.executorBalance, all, ({ chain, contract, view }) =>
      [...(view?.executors ?? [])].map(([executor, balance]) => ({
        labels: { chain, contract, executor },
        value: Number(balance),
      })),
    ),
    gauge(coreMetrics.addedCodes, all, ({ chain, addedCodes }) => ({ labels: { chain }, value: addedCodes })),
  ];
}
