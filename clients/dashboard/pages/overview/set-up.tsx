import { Checklist } from './checklist.tsx';
import type { PaymasterOverview } from './use-overview.ts';

/** Most checklists shown at once. */
const most = 3;

/** The remaining steps until a paymaster's first operation lands. Hidden once one has. */
export function SetUp({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const open = rows.flatMap(({ tank, ...row }) => (tank?.settled === '0' ? [{ ...row, tank }] : []));
  return open
    .slice(0, most)
    .map(({ paymaster, tank, usage = [] }) => (
      <Checklist
        key={paymaster.paymasterId}
        paymaster={paymaster}
        tank={tank}
        hasSigned={usage.some(({ decisions }) => decisions.signed > 0)}
        isOpen={rows.length === 1}
      />
    ));
}
