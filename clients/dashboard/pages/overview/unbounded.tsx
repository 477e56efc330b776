import { Link } from '@tanstack/react-router';
import { Notice } from '../../parts/problem.tsx';
import { LimitDayButton } from './limit-day-button.tsx';
import type { PaymasterOverview } from './use-overview.ts';

const most = 5;

/** Names the paymasters whose filled tank strangers can empty, each linked to its policy, and offers a limit for each. */
export function Unbounded({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const open = rows.filter(({ bounded, tank }) => !bounded && tank !== undefined && tank.available !== '0');
  if (open.length === 0) return null;
  return (
    <Notice kind="warn">
      <p>
        <strong>Without a total limit, strangers can spend the whole gas tank.</strong> Set one for{' '}
        {open.slice(0, most).map(({ paymaster: { paymasterId, name } }, index) => (
          <span key={paymasterId}>
            {index === 0 ? '' : ', '}
            <Link to="/paymasters/$paymasterId/policy" params={{ paymasterId }}>
              {name}
            </Link>
          </span>
        ))}
        {open.length > most ? ` and ${open.length - most} more` : ''}, or create a <Link to="/budgets">budget</Link> for
        the account.
      </p>
      <div className="actions">
        {open
          .slice(0, most)
          .map(({ paymaster, suggestedDailyUsd }) =>
            suggestedDailyUsd === undefined ? null : (
              <LimitDayButton key={paymaster.paymasterId} paymaster={paymaster} dailyUsd={suggestedDailyUsd} />
            ),
          )}
      </div>
    </Notice>
  );
}
