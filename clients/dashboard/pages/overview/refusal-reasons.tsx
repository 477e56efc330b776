import { Link } from '@tanstack/react-router';
import { Card } from '../../parts/card.tsx';
import { reasonText } from '../../parts/text/reason-text.ts';
import type { PaymasterOverview } from './use-overview.ts';

const most = 5;

/** Why most requests were refused, each leading to them. */
export function RefusalReasons({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const counts = new Map<string, { readonly count: number; readonly paymasterId: string }>();
  for (const { paymaster, refused } of rows) {
    for (const { reason } of refused) {
      if (reason === undefined) continue;
      const { count = 0, paymasterId = paymaster.paymasterId } = counts.get(reason) ?? {};
      counts.set(reason, { count: count + 1, paymasterId });
    }
  }
  const top = [...counts].sort(([, one], [, other]) => other.count - one.count).slice(0, most);
  const highest = top[0]?.[1].count ?? 1;
  return (
    <Card title="Top refusal reasons" lead="The last refusals of 30 days.">
      {top.length === 0 ? (
        <p className="muted">Nothing was refused.</p>
      ) : (
        <ul className="list tight">
          {top.map(([reason, { count, paymasterId }]) => (
            <li key={reason}>
              <div className="row">
                <Link to="/paymasters/$paymasterId/activity" params={{ paymasterId }} search={{ reason }}>
                  {reasonText(reason)}
                </Link>
                <span>{count}</span>
              </div>
              <div className="meter bad" aria-hidden="true">
                <span style={{ width: `${(count / highest) * 100}%` }} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
