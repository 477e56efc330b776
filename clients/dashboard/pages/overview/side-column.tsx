import { RefusalReasons } from './refusal-reasons.tsx';
import { TankList } from './tank-list.tsx';
import type { PaymasterOverview } from './use-overview.ts';

/** Next to the recent activity: what is in the tanks, and why requests were refused. */
export function SideColumn({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  return (
    <div className="stack">
      <TankList rows={rows} />
      <RefusalReasons rows={rows} />
    </div>
  );
}
