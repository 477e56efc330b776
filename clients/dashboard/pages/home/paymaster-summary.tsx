import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { decisionsQuery, gasTankQuery } from '../../api/of-paymaster.ts';
import { Coin } from '../../parts/coin.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { daysLeftText } from '../../parts/text/days-left-text.ts';

/** The gas tank and the last answers of a paymaster, in four numbers. */
export function PaymasterSummary({ paymaster }: { readonly paymaster: PaymasterItem }) {
  const tank = useQuery(gasTankQuery(paymaster));
  const refused = useInfiniteQuery(decisionsQuery(paymaster, { outcome: 'refused' }));
  const params = { paymasterId: paymaster.paymasterId };
  return (
    <Loaded query={tank}>
      {({ available, held, settled, daysLeft }) => (
        <dl className="tiles">
          <div className="tile">
            <dt>Available in the tank</dt>
            <dd>
              <Coin wei={available} />
            </dd>
            <dd className="tile-link">
              <Link to="/paymasters/$paymasterId/gas-tank" params={params}>
                Gas tank
              </Link>
            </dd>
          </div>
          <div className="tile">
            <dt>{daysLeft === undefined ? 'Held' : 'Days left'}</dt>
            <dd>{daysLeft === undefined ? <Coin wei={held} /> : daysLeftText(daysLeft)}</dd>
          </div>
          <div className="tile">
            <dt>Spent</dt>
            <dd>
              <Coin wei={settled} />
            </dd>
            <dd className="tile-link">
              <Link to="/paymasters/$paymasterId/usage" params={params}>
                Usage
              </Link>
            </dd>
          </div>
          <div className="tile">
            <dt>Last refusals</dt>
            <dd>{refused.data === undefined ? '…' : countText(refused.data.pages)}</dd>
            <dd className="tile-link">
              <Link to="/paymasters/$paymasterId/activity" params={params}>
                Activity
              </Link>
            </dd>
          </div>
        </dl>
      )}
    </Loaded>
  );
}

function countText(pages: readonly { decisions: readonly unknown[]; nextCursor?: string | undefined }[]): string {
  const count = pages.reduce((sum, page) => sum + page.decisions.length, 0);
  return pages.at(-1)?.nextCursor === undefined ? String(count) : `${count} and more`;
}
