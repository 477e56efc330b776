import { Link } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';

/** A banner on the pages of a paused or retired paymaster, with the time since. */
export function PaymasterState({
  paymaster: { paymasterId, pausedAt, retiredAt },
}: {
  readonly paymaster: PaymasterItem;
}) {
  if (retiredAt !== undefined) {
    return (
      <div className="page">
        <Notice>
          This paymaster was retired on <Moment at={retiredAt} />: it sponsors nothing and is read-only. Its ledger
          stays.
        </Notice>
      </div>
    );
  }
  if (pausedAt === undefined) return null;
  return (
    <div className="page">
      <Notice kind="warn">
        This paymaster has been paused since <Moment at={pausedAt} />: it sponsors nothing until it is{' '}
        <Link to="/paymasters/$paymasterId/settings" params={{ paymasterId }}>
          resumed
        </Link>
        .
      </Notice>
    </div>
  );
}
