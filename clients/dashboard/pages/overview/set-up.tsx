import { Checklist } from './checklist.tsx';
import type { PaymasterOverview } from './use-overview.ts';

/** As many lists are shown at once. */
const most = 3;

/** What is still to do until a paymaster's first operation lands. Nothing once one has. */
export function SetUp({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const open = rows.filter(({ tank }) => tank !== undefined && tank.settled === '0').slice(0, most);
  return open.map(({ paymaster }) => (
    <Checklist key={paymaster.paymasterId} paymaster={paymaster} isOpen={rows.length === 1} />
  ));
}
