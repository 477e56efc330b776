import { Link } from '@tanstack/react-router';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { daysLeftText } from '../../parts/text/days.ts';
import { Coin } from '../../parts/usd.tsx';
import type { PaymasterOverview } from './use-overview.ts';

const most = 6;
/** Fewer days left than this is a warning. */
const enoughDays = 7;

/** The gas tanks, those that run out first at the top. */
export function TankList({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const tanks = rows
    .flatMap(({ paymaster, tank }) => (tank === undefined ? [] : [{ paymaster, tank }]))
    .sort((one, other) => urgency(one.tank) - urgency(other.tank));
  return (
    <Card title="Gas tanks" lead="Those that run out first.">
      {tanks.length === 0 ? (
        <p className="muted">No tank was read yet.</p>
      ) : (
        <ul className="list tight">
          {tanks.slice(0, most).map(({ paymaster: { paymasterId, name, chainId }, tank }) => (
            <li key={paymasterId} className="row">
              <div>
                <Link to="/paymasters/$paymasterId/gas-tank" params={{ paymasterId }}>
                  {name}
                </Link>
                <span className="under">
                  {tank.daysLeft === undefined ? 'Nothing was spent in 7 days' : `Lasts ${daysLeftText(tank.daysLeft)}`}
                </span>
                {tank.relay === undefined || tank.relay.funded === '0' ? null : (
                  <span className="under">
                    Relay tank: <Coin wei={tank.relay.available} chainId={chainId} />
                  </span>
                )}
              </div>
              <div>
                <Coin wei={tank.available} chainId={chainId} />
                <div>{isLow(tank) ? <Badge kind="bad">{tank.available === '0' ? 'Empty' : 'Low'}</Badge> : null}</div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type Tank = NonNullable<PaymasterOverview['tank']>;

function isLow({ available, daysLeft }: Tank): boolean {
  return available === '0' || (daysLeft !== undefined && daysLeft < enoughDays);
}

function urgency({ available, daysLeft }: Tank): number {
  return available === '0' ? -1 : (daysLeft ?? Number.MAX_SAFE_INTEGER);
}
