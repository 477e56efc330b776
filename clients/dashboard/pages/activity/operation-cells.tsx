import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { type OperationStatus, operationStatusTexts } from '@tollfree/contract/operation-status';
import { Badge } from '../../parts/badge.tsx';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';

type OperationCostProps = {
  readonly settlement: DecisionItem['settlement'];
  /** Millionths of a USD per coin. */
  readonly price: string | undefined;
  readonly chainId: number;
};

/** An operation's cost in USD and coin, or its maximum while it is open. */
export function OperationCost({ settlement, price, chainId }: OperationCostProps) {
  if (settlement === undefined || settlement.state === 'released') return <span className="muted">–</span>;
  const wei = settlement.charge ?? settlement.held;
  const isMost = settlement.charge === undefined;
  return (
    <div className={isMost ? 'muted' : undefined} title={isMost ? 'The most it can cost' : undefined}>
      {price === undefined ? null : (
        <span className="coin">
          {isMost ? '≤ ' : ''}
          {usdText(usdOfWei(wei, price))}
        </span>
      )}
      <span className={price === undefined ? undefined : 'under'}>
        <Coin wei={wei} chainId={chainId} />
      </span>
    </div>
  );
}

const kinds = {
  refused: 'bad',
  quoted: 'info',
  signed: 'accent',
  sent: 'accent',
  included: 'good',
  failed: 'warn',
  dropped: 'warn',
  replaced: 'info',
  expired: 'info',
  released: 'info',
} as const;

export function StatusBadge({ status }: { readonly status: OperationStatus }) {
  return <Badge kind={kinds[status]}>{operationStatusTexts[status].label}</Badge>;
}

/** A status in a headline, in its color. */
export function StatusText({ status }: { readonly status: OperationStatus }) {
  return <span className={`status-text ${kinds[status]}`}>{operationStatusTexts[status].label}</span>;
}
