import { useQuery } from '@tanstack/react-query';
import { budgetsQuery } from '../../api/of-account.ts';
import { Badge } from '../../parts/badge.tsx';
import { DocLink } from '../../parts/doc-link.tsx';
import { listMatters, type Matter } from './list-matters.tsx';
import type { PaymasterOverview } from './use-overview.ts';

/** Most that are listed. */
const most = 8;

/** What stops operations or will soon, each with its button. */
export function Attention({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const { data: budgets = [] } = useQuery(budgetsQuery);
  const matters = listMatters(rows, budgets);
  if (matters.length === 0) {
    // An account whose tanks were never filled has everything to do.
    return rows.length > 0 && rows.every(({ tank }) => tank?.funded === '0') ? (
      <p className="notice">Take the steps below to your first sponsored operation.</p>
    ) : (
      <p className="notice good">Nothing needs your attention.</p>
    );
  }
  const shown = matters.slice(0, most);
  const urgent = shown.filter(({ isUrgent }) => isUrgent);
  const others = shown.filter(({ isUrgent }) => !isUrgent);
  return (
    <section className="card flush" aria-labelledby="attention">
      <div className="card-head">
        <h2 id="attention">
          Needs attention <Badge kind={urgent.length > 0 ? 'bad' : 'warn'}>{matters.length}</Badge>
        </h2>
      </div>
      <MatterList matters={urgent} />
      {urgent.length === 0 || others.length === 0 ? null : <p className="attention-title">Not urgent</p>}
      <MatterList matters={others} />
    </section>
  );
}

function MatterList({ matters }: { readonly matters: readonly Matter[] }) {
  if (matters.length === 0) return null;
  return (
    <ul className="attention">
      {matters.map(({ key, isUrgent, title, text, doc, action, each = [] }) => (
        <li key={key} className={isUrgent ? 'urgent' : undefined}>
          <div>
            <p>
              <strong>{title}</strong>
            </p>
            <p className="small muted">
              {text} {doc === undefined ? null : <DocLink to={doc} />}
            </p>
          </div>
          {action}
          {each.length === 0 ? null : (
            <ul className="attention-each">
              {each.map(({ paymaster, action: own }) => (
                <li key={paymaster.paymasterId}>
                  <span>{paymaster.name}</span>
                  {own}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
