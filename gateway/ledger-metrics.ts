import { Gauge, type Registry } from 'prom-client';
import type { LedgerStanding } from '../core/domain/ledger/ledger-report.ts';
import type { LedgerReader } from './ledger-reader.ts';

/**
 * What the books have of each paymaster contract in their kept sums, read when the metrics are. Without an answer there are
 * no samples, and no difference of a contract whose chain could not be read. A metric is a double: what is not 0 stays so, and the exact wei are for `tollfree ledger check`.
 */
export function addLedgerMetrics(registry: Registry, readLedger: LedgerReader): void {
  addGauge(
    'tollfree_ledger_difference_wei',
    'Deposit on chain less deposit in the books; other than 0 is a fault.',
    ({ difference }) => difference,
  );
  addGauge(
    'tollfree_ledger_unreachable',
    '1 while the chain cannot be read to compare the books with it.',
    ({ state }) => (state === 'unreachable' ? 1n : 0n),
  );
  addGauge(
    'tollfree_ledger_block',
    'Last block that the books have; it stands still while they cannot follow the chain.',
    ({ atBlock }) => atBlock,
  );
  addGauge(
    'tollfree_gas_tank_held_wei',
    'Set aside in all gas tanks of the contract for signatures that may land.',
    ({ held }) => held,
  );

  function addGauge(name: string, help: string, read: (standing: LedgerStanding) => bigint | undefined): void {
    new Gauge({
      name,
      help,
      labelNames: ['chain', 'contract'],
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
