import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { type OperationStatus, operationStatusTexts } from '@tollfree/contract/operation-status';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { Badge } from '../../parts/badge.tsx';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin, usePrice } from '../../parts/usd.tsx';

type OperationCostProps = { readonly decision: DecisionItem; readonly paymaster: PaymasterItem };

/** An operation's cost in USD and coin, or its maximum while it is open. */
export function OperationCost({ decision, paymaster }: OperationCostProps) {
  const { settlement, facts } = decision;
  const usual = usePrice(paymaster);
  if (settlement === undefined || settlement.state === 'released') return <span className="muted">–</span>;
  const wei = settlement.charge ?? settlement.held;
  const isMost = settlement.charge === undefined;
  const price = facts?.usdMicrosPerCoin ?? usual;
  return (
    <div className={isMost ? 'muted' : undefined} title={isMost ? 'The most it can cost' : undefined}>
      {price === undefined ? null : (
        <span className="coin">
          {isMost ? '≤ ' : ''}
          {usdText(usdOfWei(wei, price))}
        </span>
      )}
      <span className={price === undefined ? undefined : 'under'}>
        <Coin wei={wei} chainId={paymaster.chainId} />
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
