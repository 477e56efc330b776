import { Link } from '@tanstack/react-router';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { counted } from '../../parts/text/counted.ts';
import { lastsShortText } from '../../parts/text/days.ts';
import { aboutUsd, usdOfWei } from '../../parts/text/usd-text.ts';
import { Coin, lastPrice } from '../../parts/usd.tsx';
import type { PaymasterOverview } from './use-overview.ts';

const most = 6;
/** Fewer days left than this is a warning. */
const enoughDays = 7;

/** The gas tanks, those that run out first at the top. */
export function TankList({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const tanks = rows
    .flatMap(({ paymaster, tank, days }) => (tank === undefined ? [] : [{ paymaster, tank, price: lastPrice(days) }]))
    .sort((one, other) => urgency(one.tank) - urgency(other.tank));
  return (
    <Card title="Gas tanks" lead={`Those that run out first. Bars: of ${counted(fullDays, 'day')}.`}>
      {tanks.length === 0 ? (
        <p className="muted">No tank was read yet.</p>
      ) : (
        <ul className="list tight">
          {tanks.slice(0, most).map(({ paymaster: { paymasterId, name, chainId }, tank, price }) => (
            <li key={paymasterId}>
              <div className="row">
                <div>
                  <Link to="/paymasters/$paymasterId/gas-tank" params={{ paymasterId }}>
                    {name}
                  </Link>
                  <span className="under">{lastsShortText(tank.daysLeft, Date.now())}</span>
                  {tank.relay === undefined || tank.relay.funded === '0' ? null : (
                    <span className="under">
                      Relay tank: <Coin wei={tank.relay.available} chainId={chainId} />
                    </span>
                  )}
                </div>
                <div>
                  <Coin wei={tank.available} chainId={chainId} />
                  <span className="under">
                    {price === undefined ? null : `≈ ${aboutUsd(usdOfWei(tank.available, price))}`}
                  </span>
                  <div>{isLow(tank) ? <Badge kind="bad">{tank.available === '0' ? 'Empty' : 'Low'}</Badge> : null}</div>
                </div>
              </div>
              <div className={isLow(tank) ? 'meter bad' : 'meter'} aria-hidden="true">
                <span style={{ width: `${fillOf(tank) * 100}%` }} />
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

/** Days of a full bar. */
const fullDays = 60;

function fillOf({ available, daysLeft = fullDays }: Tank): number {
  return available === '0' ? 0 : Math.min(1, daysLeft / fullDays);
}

function urgency({ available, daysLeft }: Tank): number {
  return available === '0' ? -1 : (daysLeft ?? Number.MAX_SAFE_INTEGER);
}
