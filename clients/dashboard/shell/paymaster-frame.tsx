import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { paymastersQuery } from '../api/of-account.ts';
import { PaymasterContext } from '../api/use-paymaster.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/problem.tsx';
import { NoPaymasterPage } from './error-page.tsx';

/** Provides the paymaster in the URL to its pages. */
export function PaymasterFrame() {
  const { paymasterId } = useParams({ from: '/paymasters/$paymasterId' });
  const paymasters = useQuery(paymastersQuery);
  return (
    <Loaded query={paymasters}>
      {(list) => {
        const paymaster = list.find((each) => each.paymasterId === paymasterId);
        return paymaster === undefined ? (
          <NoPaymasterPage />
        ) : (
          <PaymasterContext.Provider key={paymasterId} value={paymaster}>
            <PaymasterState paymaster={paymaster} />
            <Outlet />
          </PaymasterContext.Provider>
        );
      }}
    </Loaded>
  );
}

/** A banner on the pages of a paused or retired paymaster, with the time since. */
function PaymasterState({ paymaster: { paymasterId, pausedAt, retiredAt } }: { readonly paymaster: PaymasterItem }) {
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
