import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { DocLink } from '../../parts/doc-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { lastsText } from '../../parts/text/days.ts';
import { Coin, Worth } from '../../parts/usd.tsx';
import { Value } from '../../parts/value.tsx';
import { DepositForm } from './deposit-form.tsx';

type TankNumbers = Pick<GasTankItem, 'available' | 'held' | 'settled' | 'funded'>;

/** What is in the tank and how long it lasts, then where the rest is. */
export function TankHead({ tank }: { readonly tank: TankNumbers & Pick<GasTankItem, 'daysLeft'> }) {
  const paymaster = usePaymaster();
  const { available, daysLeft } = tank;
  const isEmpty = available === '0' || available.startsWith('-');
  return (
    <section className="card tank-head" aria-label="Available">
      <div>
        <p className="small muted">Available</p>
        <p className={isEmpty ? 'hero bad' : 'hero'}>
          <Coin wei={available} />
        </p>
        <p className="tank-worth muted">
          <Worth wei={available} paymaster={paymaster} />
        </p>
        <p className="tank-lasts">
          {isEmpty ? 'Nothing is sponsored until you deposit.' : lastsText(daysLeft, Date.now())}
        </p>
      </div>
      <TankParts tank={tank} />
    </section>
  );
}

function TankParts({ tank: { held, settled, funded } }: { readonly tank: TankNumbers }) {
  const paymaster = usePaymaster();
  const parts = [
    ['Held', held],
    ['Spent', settled],
    ['Paid in', funded],
  ] as const;
  return (
    <dl className="tank-parts">
      {parts.map(([name, wei]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Coin wei={wei} />
          </dd>
          <dd className="tile-note">
            <Worth wei={wei} paymaster={paymaster} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

type RelayTankProps = {
  readonly tank: GasTankItem;
  /** Whether the sent deposit is in the tank. */
  readonly hasArrived: boolean;
  readonly onSent: () => void;
};

/** The tank for relayed operations, separate from the contract's. Hidden if the operator relays none. */
export function RelayTank({ tank, hasArrived, onSent }: RelayTankProps) {
  const { relay, fundingWallet } = tank;
  if (relay === undefined) return null;
  const [executor] = relay.executors;
  return (
    <Card
      title="Relay tank"
      lead={
        <>
          It pays for relayed operations, which need no paymaster contract. It is separate from the tank above.{' '}
          <DocLink to="relayTank" />
        </>
      }
      actions={
        executor === undefined || fundingWallet === undefined ? null : (
          <PanelButton text="Deposit for relay" title="Deposit into the relay tank">
            {() => (
              <DepositForm
                tank={tank}
                filling={{
                  to: executor,
                  call: `a transfer of ${coinName(tank.chainId)}`,
                  data: '0x',
                  from: 'funding-wallet',
                }}
                hasArrived={hasArrived}
                onSent={onSent}
              />
            )}
          </PanelButton>
        )
      }
    >
      <p>
        <strong className="medium-number">
          <Coin wei={relay.available} />
        </strong>{' '}
        <span className="muted">available</span>
      </p>
      <TankParts tank={relay} />
      <Facts
        facts={relay.executors.map((address, index) => [
          relay.executors.length === 1 ? 'Executor' : `Executor ${index + 1}`,
          <Value key={address} text={address} what="executor" />,
        ])}
      />
      <p className="muted">A transfer from the funding wallet to an executor fills this tank.</p>
    </Card>
  );
}
