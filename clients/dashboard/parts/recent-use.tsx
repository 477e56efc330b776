import { useQuery } from '@tanstack/react-query';
import type { UsageItem } from '@tollfree/contract/usage';
import { usageQuery } from '../api/of-paymaster.ts';
import { usePaymaster } from '../api/use-paymaster.ts';
import { counted } from './text/counted.ts';
import { Usd } from './usd.tsx';

/** The use of the last 30 days by contract or by apiKey, under its key in lower case; undefined until it is known. */
export function useRecentUse(by: 'contract' | 'apiKey'): ReadonlyMap<string, UsageItem> | undefined {
  const { data } = useQuery(usageQuery(usePaymaster(), { by }));
  return data === undefined ? undefined : new Map(data.map((row) => [row.key.toLowerCase(), row]));
}

type RecentUseProps = {
  readonly use: ReadonlyMap<string, UsageItem> | undefined;
  /** The contract's address or the id of the apiKey. */
  readonly of: string;
};

/** What one row of a list was used for in the last 30 days, and what you paid for it, with a bar to compare the rows. */
export function RecentUse({ use, of }: RecentUseProps) {
  const row = use?.get(of.toLowerCase());
  // The line keeps its height while the usage is loading.
  if (use === undefined) return <p className="small muted">Last 30 days: …</p>;
  if (row === undefined) return <p className="small muted">Not used in the last 30 days.</p>;
  const highest = Math.max(...[...use.values()].map(paidByYou));
  const { landed, decisions, unpriced } = row;
  return (
    <div className="bar-cell recent-use">
      <p className="small">
        <strong>
          <Usd text={paidByYou(row).toFixed(6)} unpriced={unpriced} />
        </strong>{' '}
        in the last 30 days, {counted(landed, 'operation')} landed, {counted(decisions.refused, 'request')} refused
      </p>
      {highest === 0 ? null : (
        <span className="bar-track" aria-hidden="true">
          <span className="bar-fill" style={{ width: `${(paidByYou(row) / highest) * 100}%` }} />
        </span>
      )}
    </div>
  );
}

/** The cost in USD without what users paid in tokens. Their part of the wei has the price of the whole. */
function paidByYou({ charge, usersPaid, chargeUsd }: UsageItem): number {
  return charge === '0' ? Number(chargeUsd) : Number(chargeUsd) * (1 - Number(usersPaid) / Number(charge));
}
