import { Gauge, type Registry } from 'prom-client';
import type { LedgerStanding } from '../core/domain/ledger/ledger-report.ts';
import { gatewayMetrics } from './gateway-metrics.ts';
import type { LedgerReader } from './ledger-reader.ts';

type LedgerForm = { readonly name: string; readonly help: string; readonly labels: readonly ['chain', 'contract'] };

/**
 * What the ledger has of each paymaster contract in their kept sums, read when the metrics are. Without an answer there are
 * no samples, and no difference of a contract whose chain could not be read. A metric is a double: what is not 0 stays so, and the exact wei are for `tollfree ledger check`.
 */
export function addLedgerMetrics(registry: Registry, readLedger: LedgerReader): void {
  addGauge(gatewayMetrics.ledgerDifference, ({ difference }) => difference);
  addGauge(gatewayMetrics.ledgerUnreachable, ({ state }) => (state === 'unreachable' ? 1n : 0n));
  addGauge(gatewayMetrics.ledgerBlock, ({ atBlock }) => atBlock);
  addGauge(gatewayMetrics.held, ({ held }) => held);

  function addGauge({ name, help, labels }: LedgerForm, read: (standing: LedgerStanding) => bigint | undefined): void {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const standings = await readLedger();
        this.reset();
        for (const standing of standings ?? []) {
          const value = read(standing);
          if (value !== undefined) this.set({ chain: standing.chainId, contract: standing.contract }, Number(value));
        }
      },
    });
  }
}
