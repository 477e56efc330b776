import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { GasTankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { type ReactNode, useState } from 'react';
import { paymastersQuery } from '../../api/of-account.ts';
import { statementQuery } from '../../api/of-paymaster.ts';
import { PaymasterContext, usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { Segments } from '../../parts/segments.tsx';
import { amountOfCoin, coinSymbol, networkOf } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { coinText } from '../../parts/text/usd-text.ts';
import { AllPaymasters, OtherPaymasters } from './all-paymasters.tsx';
import { inCents } from './in-cents.ts';
import { MatrixTable, type Unit } from './matrix-table.tsx';
import { MonthPicker, monthEnds, monthName, monthsUpTo } from './month-picker.tsx';
import { Paid } from './paid.tsx';
import { statementCsv } from './statement-csv.ts';
import { blockOf, matrixOf } from './statement-matrix.ts';
import type { StatementSearch } from './statement-search.ts';
import { useTokensPaid } from './use-tokens-paid.ts';

const route = '/paymasters/$paymasterId/statement';
const lead = 'Everything that paid for gas in a month. USD amounts use the price at that time, days are in UTC.';

/** Everything that paid for gas in a month, of one paymaster or of all, to read, print and save. */
export function StatementPage() {
  const { paymasterId, chainId } = usePaymaster();
  const search: StatementSearch = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const [months] = useState(() => monthsUpTo(Date.now()));
  const month = months.find((each) => each === search.month) ?? months[0] ?? '';
  const options = (
    <>
      <MonthPicker
        months={months}
        month={month}
        onChange={(next) => void navigate({ search: { ...search, month: next } })}
      />
      <PaymasterChoice search={search} paymasterId={paymasterId} />
    </>
  );
  if (search.of !== 'all') return <OfPaymaster month={month} months={months} options={options} />;
  return (
    // The page is no longer one of the paymaster's, whose name would stand above its title.
    <PaymasterContext.Provider value={undefined}>
      <Page
        title="Statement"
        lead={lead}
        doc="statement"
        actions={<Button onPress={() => window.print()}>Print</Button>}
      >
        <section aria-label="Options" className="statement-options not-printed">
          {options}
        </section>
        <AllPaymasters month={month} network={networkOf(chainId)} />
      </Page>
    </PaymasterContext.Provider>
  );
}

type PaymasterChoiceProps = { readonly search: StatementSearch; readonly paymasterId: string };

/** Switches between the account's paymasters, and all of them. The month stays. */
function PaymasterChoice({ search: { month, of }, paymasterId }: PaymasterChoiceProps) {
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const navigate = useNavigate();
  const show = (chosen: string) =>
    void navigate({
      to: route,
      params: { paymasterId: chosen === 'all' ? paymasterId : chosen },
      search: { ...(month === undefined ? {} : { month }), ...(chosen === 'all' ? { of: 'all' as const } : {}) },
    });
  return (
    <div className="month-picker">
      <select aria-label="Paymaster" value={of ?? paymasterId} onChange={({ target }) => show(target.value)}>
        <option value="all">All paymasters</option>
        {paymasters.map((each) => (
          <option key={each.paymasterId} value={each.paymasterId}>
            {each.name}
          </option>
        ))}
      </select>
    </div>
  );
}

type OfPaymasterProps = {
  readonly month: string;
  /** Newest first; the first one is the present month. */
  readonly months: readonly string[];
  readonly options: ReactNode;
};

/** A month of the page's paymaster, a column for each payer. */
function OfPaymaster({ month, months, options }: OfPaymasterProps) {
  const paymaster = usePaymaster();
  const [unit, setUnit] = useState<Unit>('usd');
  const statement = useQuery(statementQuery(paymaster, month));
  const isOver = month !== months[0];
  const { first, last } = monthEnds(month);
  const tokens = useTokensPaid(month);
  const names = { first: `Balance on ${first}`, last: isOver ? `Balance after ${last}` : 'Balance now', tokens };
  const matrix = statement.data === undefined ? undefined : matrixOf(statement.data, names);
  const hasTank = (statement.data?.tanks.length ?? 0) > 0;
  return (
    <Page
      title="Statement"
      lead={lead}
      doc="statement"
      actions={
        <>
          <Button isDisabled={!hasTank} onPress={() => window.print()}>
            Print
          </Button>
          <Button
            isDisabled={!hasTank}
            onPress={() => matrix && saveCsv(`${paymaster.name} ${month}.csv`, statementCsv(matrix))}
          >
            Save as CSV
          </Button>
        </>
      }
    >
      <section aria-label="Options" className="statement-options not-printed">
        {options}
        <Segments
          label="Amounts first in"
          value={unit}
          options={[
            { value: 'usd', text: 'USD' },
            { value: 'coin', text: coinSymbol(paymaster.chainId) ?? 'Coin' },
          ]}
          onChange={setUnit}
        />
      </section>
      <Loaded query={statement}>
        {(data) =>
          data.tanks.length === 0 || matrix === undefined ? (
            <Empty title="There is no tank yet.">The first deposit of the funding wallet creates it.</Empty>
          ) : (
            <>
              <Paid statement={inCents(data)} tokens={tokens} before={months[months.indexOf(month) + 1]} />
              <Card
                title={`By who paid, ${monthName(month)}`}
                lead={<Shared statement={data} />}
                actions={matrix.addsUp ? <Badge kind="good">Adds up</Badge> : <Badge kind="bad">Does not add up</Badge>}
              >
                <MatrixTable
                  matrix={matrixOf(inCents(data), names)}
                  unit={unit}
                  caption={`Statement of ${monthName(month)} by payer`}
                />
                <ReadUpTo block={blockOf(data)} />
              </Card>
            </>
          )
        }
      </Loaded>
      <OtherPaymasters month={month} network={networkOf(paymaster.chainId)} />
    </Page>
  );
}

/** Says up to which block the ledger has what happened on the chain. */
function ReadUpTo({ block }: { readonly block: number | undefined }) {
  if (block === undefined) return null;
  return <p className="small muted">Read from the chain up to block {block.toLocaleString(locale)}.</p>;
}

/** Says what of a shared tank is not this paymaster's. */
function Shared({ statement: { tanks, contract, chainId } }: { readonly statement: GasTankStatementItem }) {
  const others = tanks.filter(({ elsewhere }) => elsewhere.operations !== 0);
  const count = others.reduce((sum, { elsewhere }) => sum + elsewhere.operations, 0);
  const wei = others.reduce((sum, { elsewhere }) => sum + BigInt(elsewhere.wei), 0n);
  return (
    <>
      <code className="under">{contract}</code>
      {count === 0
        ? null
        : `The tank is shared: ${counted(count, 'operation')}, for ${amountOfCoin(coinText(String(wei)), chainId)}, ${count === 1 ? 'has' : 'have'} no signature of this paymaster.`}
    </>
  );
}
