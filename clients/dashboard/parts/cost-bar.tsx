import type { ReactNode } from 'react';
import type { SplitCost } from './text/split-cost.ts';
import { usdText } from './text/usd-text.ts';

type CostBarProps = {
  readonly cost: SplitCost;
  /** The longest bar's cost in USD. */
  readonly highest: number;
  /** Operations whose price was not known. They are not in the cost. */
  readonly unpriced: number;
};

/** A cost in USD, and a bar to compare it with other rows: your part, then that of users. */
export function CostBar({ cost: { own, users }, highest, unpriced }: CostBarProps) {
  const part = (usd: number): string => `${highest === 0 ? 0 : (usd / highest) * 100}%`;
  return (
    <div className="bar-cell">
      <span>
        <CostText own={own} unpriced={unpriced} />
        {users === 0 ? null : <span className="small muted"> users {usdText(users.toFixed(6))}</span>}
      </span>
      <span className="bar-track" aria-hidden="true">
        <span className="bar-fill" style={{ width: part(own) }} />
        <span className="bar-fill users" style={{ width: part(users) }} />
      </span>
    </div>
  );
}

function CostText({ own, unpriced }: { readonly own: number; readonly unpriced: number }): ReactNode {
  if (unpriced > 0 && own === 0) return <span className="muted">No price</span>;
  return (
    <>
      <span className="coin">{usdText(own.toFixed(6))}</span>
      {unpriced === 0 ? null : <span className="small muted"> + {unpriced} without a price</span>}
    </>
  );
}
