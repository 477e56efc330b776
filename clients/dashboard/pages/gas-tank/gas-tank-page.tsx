import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gasTankQuery } from '../../api/of-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { BalanceHistory } from './balance-history.tsx';
import { DepositForm } from './deposit-form.tsx';
import { FundingWallet } from './funding-wallet.tsx';
import { OtherMoney } from './other-money.tsx';
import { TankEntries } from './tank-entries.tsx';
import { TankTiles } from './tank-tiles.tsx';

/** How often the tank is read while a deposit is on its way, in milliseconds. */
const watchMs = 2_000;

/** What is in the tank, how it is filled, and what became of it. */
export function GasTankPage() {
  const paymaster = usePaymaster();
  const [fundedBefore, setFundedBefore] = useState<string>();
  const query = useQuery({
    ...gasTankQuery(paymaster),
    refetchInterval: ({ state }) =>
      fundedBefore !== undefined && state.data?.funded === fundedBefore ? watchMs : false,
  });
  return (
    <Page
      title="Gas tank"
      lead="This paymaster can spend at most the deposits of the funding wallet. Amounts are in the chain’s native coin."
      actions={<Button onPress={() => void query.refetch()}>Refresh</Button>}
    >
      <Loaded query={query}>
        {(tank) => (
          <>
            <TankTiles tank={tank} />
            {tank.filling === undefined ? null : (
              <Card title="Deposit">
                <DepositForm
                  tank={tank}
                  filling={tank.filling}
                  hasArrived={fundedBefore !== undefined && tank.funded !== fundedBefore}
                  onSent={() => setFundedBefore(tank.funded)}
                />
              </Card>
            )}
            <FundingWallet tank={tank} />
            <OtherMoney tank={tank} />
            {tank.fundingWallet === undefined ? null : <BalanceHistory state={`${tank.funded} ${tank.settled}`} />}
            <TankEntries funded={`${tank.funded} ${tank.settled} ${tank.held}`} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
