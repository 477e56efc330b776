import { useQuery } from '@tanstack/react-query';
import type { GasTankStatementItem, TankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { type ReactNode, useState } from 'react';
import { statementQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { csvLines, saveCsv } from '../../parts/save-file.ts';
import { amountOfCoin, chainName } from '../../parts/text/chain-name.ts';
import { coinText, usdText } from '../../parts/text/usd-text.ts';
import { Coin, Usd } from '../../parts/usd.tsx';
import { shortHex } from '../../parts/value.tsx';

const most = 24;

/** The UTC months up to a moment (milliseconds), `YYYY-MM`, newest first. */
function monthsUpTo(moment: number): readonly string[] {
  const now = new Date(moment);
  return Array.from({ length: most }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
}

const form = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A month in the reader's locale. */
function monthName(month: string): string {
  return form.format(new Date(`${month}-01T00:00:00Z`));
}

/** The gas tank's monthly statement, to read, print and save. */
export function StatementPage() {
  const paymaster = usePaymaster();
  const [months] = useState(() => monthsUpTo(Date.now()));
  const [month, setMonth] = useState(months[0] ?? '');
  const statement = useQuery(statementQuery(paymaster, month));
  const { data } = statement;
  return (
    <Page
      title="Statement"
      lead="Deposits and costs of the gas tank, by UTC time of the entry. USD amounts use the price at that time."
      actions={
        <>
          <Button isDisabled={(data?.tanks.length ?? 0) === 0} onPress={() => window.print()}>
            Print
          </Button>
          <Button
            isDisabled={data === undefined || data.tanks.length === 0}
            onPress={() => data && saveCsv(`${paymaster.name} ${month}.csv`, statementCsv(data))}
          >
            Save as CSV
          </Button>
        </>
      }
    >
      <section aria-label="Options" className="form-row not-printed">
        <Choice
          label="Month"
          value={month}
          options={months.map((value) => ({ value, text: monthName(value) }))}
          onChange={setMonth}
        />
      </section>
      <Loaded query={statement}>
        {({ chainId, contract, tanks, upstream }) =>
          tanks.length === 0 ? (
            <Empty title="There is no tank yet.">The first deposit of the funding wallet creates it.</Empty>
          ) : (
            <>
              <Facts
                facts={[
                  ['Paymaster', paymaster.name],
                  ['Month', monthName(month)],
                  ['Chain', chainName(chainId)],
                  ['Paymaster contract', <code key="contract">{contract}</code>],
                  upstream && [
                    'Upstream',
                    `${upstream.operations} operations, at most ${usdText(upstream.worstCaseUsd)}`,
                  ],
                ]}
              />
              {tanks.map((tank) => (
                <TankStatement key={`${tank.payer} ${tank.fundingWallet}`} tank={tank} />
              ))}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** A statement as CSV: one row per tank, with wei and USD of each line in adjacent columns. */
function statementCsv({ month, chainId, contract, tanks }: GasTankStatementItem): string {
  const heads = statementHeads.flatMap(({ title }) => [
    `${title} in wei`,
    `${title} in USD`,
    `${title} without a price`,
  ]);
  const elsewhere = ['Not for this paymaster', 'Not for this paymaster in wei'];
  return csvLines([
    [
      ...['Month', 'Chain', 'Contract', 'Payer', 'Funding wallet', 'Opening in wei'],
      ...heads,
      ...['Paid by users in wei (part of spent)', 'Closing in wei', 'Operations', ...elsewhere],
    ],
    ...tanks.map((tank) => [
      ...[month, chainId, contract, tank.payer, tank.fundingWallet, tank.opening],
      ...statementHeads.flatMap(({ head }) => [tank[head].wei, tank[head].usd, tank[head].unpriced]),
      ...[tank.usersPaid, tank.closing, tank.operations, tank.elsewhere.operations, tank.elsewhere.wei],
    ]),
  ]);
}

type Head = keyof Pick<TankStatementItem, 'deposited' | 'withdrawn' | 'credited' | 'debited' | 'spent' | 'premium'>;

/** The lines of a statement, in order. */
const statementHeads: readonly { readonly head: Head; readonly title: string; readonly takes: boolean }[] = [
  { head: 'deposited', title: 'Deposited', takes: false },
  { head: 'withdrawn', title: 'Withdrawn', takes: true },
  { head: 'credited', title: 'Credited by the operator', takes: false },
  { head: 'debited', title: 'Debited by the operator', takes: true },
  { head: 'spent', title: 'Spent on operations', takes: true },
  { head: 'premium', title: 'Contract’s premium (part of spent)', takes: true },
];

type Row = { readonly title: string; readonly wei: string; readonly usd?: ReactNode; readonly isSum?: true };

/** One tank's month: each line with its exact wei and its worth. */
function TankStatement({ tank }: { readonly tank: TankStatementItem }) {
  const { chainId } = usePaymaster();
  const { payer, fundingWallet, opening, closing, operations, elsewhere, usersPaid } = tank;
  const rows: readonly Row[] = [
    { title: 'Opening balance', wei: opening, isSum: true },
    ...statementHeads
      .filter(({ head }) => tank[head].wei !== '0' || tank[head].unpriced > 0)
      .map(({ head, title, takes }) => {
        const { wei, usd, unpriced } = tank[head];
        return {
          title,
          wei: takes ? negated(wei) : wei,
          usd: <Usd text={takes ? negated(usd) : usd} unpriced={unpriced} />,
        };
      }),
    ...(usersPaid === '0' ? [] : [{ title: 'Paid by users in tokens (part of spent)', wei: negated(usersPaid) }]),
    { title: 'Closing balance', wei: closing, isSum: true },
  ];
  const others =
    elsewhere.operations === 0
      ? ''
      : ` ${elsewhere.operations} of them, for ${amountOfCoin(coinText(elsewhere.wei), chainId)}, without a signature of this paymaster: the tank is shared.`;
  return (
    <Card
      title={`${payer === 'RELAY' ? 'Relay tank' : 'Tank'} of ${shortHex(fundingWallet)}`}
      lead={
        <>
          {/* Small enough for one line on a phone. */}
          <code className="under">{fundingWallet}</code>
          {operations} {operations === 1 ? 'operation' : 'operations'} landed.{others}
        </>
      }
    >
      <DataTable
        caption={`Statement of the tank of ${fundingWallet}`}
        layout="lines"
        rows={rows}
        keyOf={({ title }) => title}
        columns={[
          { title: 'Entry', cell: ({ title, isSum }) => (isSum ? <strong>{title}</strong> : title) },
          {
            title: 'Amount',
            isNumber: true,
            cell: ({ wei, isSum }) =>
              isSum ? (
                <strong>
                  <Coin wei={wei} />
                </strong>
              ) : (
                <Coin wei={wei} />
              ),
          },
          { title: 'USD', isNumber: true, cell: ({ usd }) => usd },
        ]}
      />
    </Card>
  );
}

/** An amount with the other sign. */
function negated(amount: string): string {
  if (/^[0.]+$/.test(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
