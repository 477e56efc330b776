import { useQuery } from '@tanstack/react-query';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { useState } from 'react';
import { live } from '../../api/live.ts';
import { gasTankQuery, tankDaysQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Live, Loaded, Placeholder } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Segments } from '../../parts/segments.tsx';
import { coinSymbol } from '../../parts/text/chain-name.ts';
import { dayText } from '../../parts/text/days.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';
import { DepositForm } from './deposit-form.tsx';
import { FundingWallet } from './funding-wallet.tsx';
import { TankEntries } from './tank-entries.tsx';
import { RelayTank, TankHead } from './tank-tiles.tsx';
import { Withdrawal } from './withdrawal.tsx';

/** Polling interval of the tank while a deposit is pending, in milliseconds. */
const watchMs = 2_000;

/** Whether a deposit was sent that has not arrived yet. */
function isWaited(before: string | undefined, funded: string | undefined): boolean {
  return before !== undefined && before === funded;
}

/** The tank's balance, its deposits, and its history. */
export function GasTankPage() {
  const paymaster = usePaymaster();
  const [fundedBefore, setFundedBefore] = useState<string>();
  const [relayBefore, setRelayBefore] = useState<string>();
  const pace = live();
  const query = useQuery({
    ...gasTankQuery(paymaster),
    refetchInterval: (each) =>
      isWaited(fundedBefore, each.state.data?.funded) || isWaited(relayBefore, each.state.data?.relay?.funded)
        ? watchMs
        : pace(each),
  });
  const tank = query.data;
  return (
    <Page
      title="Gas tank"
      lead="This paymaster can spend at most what its funding wallet has deposited."
      doc="gasTank"
      actions={
        <>
          <Live query={query} />
          {tank === undefined && query.isPending ? (
            <>
              <Button isDisabled>Withdraw</Button>
              <Button isDisabled kind="primary">
                Deposit
              </Button>
            </>
          ) : null}
          {tank === undefined ? null : (
            <PanelButton text="Withdraw" title="Withdraw from the tank">
              {() => <Withdrawal tank={tank} />}
            </PanelButton>
          )}
          {tank?.filling === undefined ? null : (
            <PanelButton text="Deposit" kind="primary" title="Deposit into the tank">
              {() => (
                <DepositForm
                  tank={tank}
                  filling={tank.filling as NonNullable<typeof tank.filling>}
                  hasArrived={fundedBefore !== undefined && tank.funded !== fundedBefore}
                  onSent={() => setFundedBefore(tank.funded)}
                />
              )}
            </PanelButton>
          )}
        </>
      }
    >
      <Loaded query={query} placeholder={<TankPlaceholder />}>
        {(read) => (
          <>
            <TankHead tank={read} />
            {read.fundingWallet === undefined ? (
              <FundingWallet tank={read} />
            ) : (
              <BalanceHistory state={`${read.funded} ${read.settled}`} />
            )}
            <RelayTank
              tank={read}
              hasArrived={relayBefore !== undefined && read.relay?.funded !== relayBefore}
              onSent={() => setRelayBefore(read.relay?.funded)}
            />
            <OtherMoney tank={read} />
            <TankEntries funded={`${read.funded} ${read.settled} ${read.held}`} since={read.entriesSince} />
            {read.fundingWallet === undefined ? null : <FundingWallet tank={read} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What every tank has, as high as it will be. */
function TankPlaceholder() {
  return (
    <>
      <Placeholder>
        <TankHead tank={{ available: '1', held: '1', settled: '1', funded: '1' }} />
      </Placeholder>
      <Card {...balanceHead} actions={<Segments label="Days" value="30" options={spans} onChange={() => {}} />}>
        <BalancePlaceholder />
      </Card>
    </>
  );
}

/** Stray deposits, and the tanks of former wallets. Hidden if there are none. */
function OtherMoney({ tank }: { readonly tank: GasTankItem }) {
  const { strayDeposits = [], formerTanks = [] } = tank;
  return (
    <>
      {strayDeposits.length === 0 ? null : (
        <Card title="Deposits that filled no tank">
          <DataTable
            caption="Deposits that filled no tank"
            rows={strayDeposits}
            keyOf={({ txHash, amount }) => `${txHash} ${amount}`}
            columns={[
              { title: 'Transaction', cell: ({ txHash }) => <Short hex={txHash} /> },
              { title: 'Amount', isNumber: true, cell: ({ amount }) => <Coin wei={amount} /> },
              { title: 'How to recover', cell: ({ recovery }) => recovery },
            ]}
          />
        </Card>
      )}
      {formerTanks.length === 0 ? null : (
        <Card title="Tanks of former wallets" lead="Setting the wallet again restores its tank.">
          <DataTable
            caption="Tanks of former wallets"
            rows={formerTanks}
            keyOf={({ fundingWallet }) => fundingWallet}
            columns={[
              { title: 'Wallet', cell: ({ fundingWallet }) => <Short hex={fundingWallet} /> },
              { title: 'Balance', isNumber: true, cell: ({ left }) => <Coin wei={left} /> },
              { title: 'Held', isNumber: true, cell: ({ held }) => <Coin wei={held} /> },
            ]}
          />
        </Card>
      )}
    </>
  );
}

const spans = [
  { value: '30', text: '30 d' },
  { value: '90', text: '90 d' },
  { value: '365', text: '1 y' },
] as const;

const weiPerCoin = 1e18;

const balanceHead = { title: 'Balance', lead: 'At the end of each UTC day, including holds.' } as const;

function BalancePlaceholder() {
  return (
    <Placeholder>
      <div className="stack">
        <Chart shape="area" labels={['–', '–']} series={[{ name: '', values: [0, 0] }]} format={() => '–'} />
        <p>Table</p>
      </div>
    </Placeholder>
  );
}

/** The tank's balance by day, as chart and table. Read again when `state`, that of the tank, changes. */
function BalanceHistory({ state }: { readonly state: string }) {
  const paymaster = usePaymaster();
  const [span, setSpan] = useState<(typeof spans)[number]['value']>('30');
  const query = useQuery(tankDaysQuery(paymaster, Number(span), state));
  const symbol = coinSymbol(paymaster.chainId) ?? '';
  return (
    <Card {...balanceHead} actions={<Segments label="Days" value={span} options={spans} onChange={setSpan} />}>
      <Loaded query={query} placeholder={<BalancePlaceholder />}>
        {(days) => (
          <>
            <Chart
              shape="area"
              labels={days.map(({ day }) => dayText(day))}
              series={[{ name: 'Balance', values: days.map(({ balance }) => Number(balance) / weiPerCoin) }]}
              format={(coins) => `${coins.toLocaleString(locale, { maximumSignificantDigits: 4 })} ${symbol}`}
            />
            <details>
              <summary>Table</summary>
              <div className="details-body">
                <DataTable
                  caption="The gas tank day by day"
                  rows={days.toReversed()}
                  keyOf={({ day }) => day}
                  columns={[
                    { title: 'Day', cell: ({ day }) => day },
                    { title: 'Balance', isNumber: true, cell: ({ balance }) => <Coin wei={balance} /> },
                    { title: 'Spent', isNumber: true, cell: ({ spent }) => <Coin wei={spent} /> },
                  ]}
                />
              </div>
            </details>
          </>
        )}
      </Loaded>
    </Card>
  );
}
