import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { paymastersQuery } from '../api/paymasters.ts';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PaymasterContext } from '../parts/paymaster-context.ts';
import { PaymasterState } from './paymaster-state.tsx';

/** Provides the paymaster in the URL to its pages. */
export function PaymasterFrame() {
  const { paymasterId } = useParams({ from: '/paymasters/$paymasterId' });
  const paymasters = useQuery(paymastersQuery);
  return (
    <Loaded query={paymasters}>
      {(list) => {
        const paymaster = list.find((each) => each.paymasterId === paymasterId);
        return paymaster === undefined ? (
          <Empty title="This paymaster does not exist in this account.">
            <Link to="/paymasters">Show all paymasters</Link>
          </Empty>
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
