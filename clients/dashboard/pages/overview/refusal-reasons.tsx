import { Link } from '@tanstack/react-router';
import { Card } from '../../parts/card.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import type { PaymasterOverview } from './use-overview.ts';

const most = 5;

/** The most common reasons for today's refusals, each linked to its requests. */
export function RefusalReasons({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const counts = new Map<string, { readonly count: number; readonly paymasterId: string }>();
  for (const { paymaster, refusals } of rows) {
    for (const { reason, today } of refusals) {
      if (today === 0) continue;
      const known = counts.get(reason) ?? { count: 0, paymasterId: paymaster.paymasterId };
      counts.set(reason, { ...known, count: known.count + today });
    }
  }
  const top = [...counts].sort(([, one], [, other]) => other.count - one.count).slice(0, most);
  const highest = top[0]?.[1].count ?? 1;
  return (
    <Card title="Why refused, today" lead="Among the last 1,000 requests of each paymaster. The day is in UTC.">
      {top.length === 0 ? (
        <p className="muted">Nothing was refused today.</p>
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
