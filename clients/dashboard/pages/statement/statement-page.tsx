import { useQuery } from '@tanstack/react-query';
import type { GasTankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { useState } from 'react';
import { statementQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { saveCsv } from '../../parts/save-file.ts';
import { amountOfCoin } from '../../parts/text/chain-name.ts';
import { coinText, usdText } from '../../parts/text/usd-text.ts';
import { AllPaymasters } from './all-paymasters.tsx';
import { MatrixTable } from './matrix-table.tsx';
import { MonthPicker, monthEnds, monthName, monthsUpTo } from './month-picker.tsx';
import { statementCsv } from './statement-csv.ts';
import { matrixOf, paidOf, usdOfMicros } from './statement-matrix.ts';

/** Everything that paid for gas in a month, to read, print and save. */
export function StatementPage() {
  const paymaster = usePaymaster();
  const [months] = useState(() => monthsUpTo(Date.now()));
  const [month, setMonth] = useState(months[0] ?? '');
  const statement = useQuery(statementQuery(paymaster, month));
  const isOver = month !== months[0];
  const { first, last } = monthEnds(month);
  const ends = { first: `Balance on ${first}`, last: isOver ? `Balance after ${last}` : 'Balance now' };
  const matrix = statement.data === undefined ? undefined : matrixOf(statement.data, ends);
  const hasTank = (statement.data?.tanks.length ?? 0) > 0;
  return (
    <Page
      title="Statement"
      lead="Everything that paid for gas in a month. USD amounts use the price at that time, days are in UTC."
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
      <section aria-label="Options" className="not-printed">
        <MonthPicker months={months} month={month} onChange={setMonth} />
      </section>
      <Loaded query={statement}>
        {(data) =>
          data.tanks.length === 0 || matrix === undefined ? (
            <Empty title="There is no tank yet.">The first deposit of the funding wallet creates it.</Empty>
          ) : (
            <>
              <Paid statement={data} before={months[months.indexOf(month) + 1]} />
              <Card
                title={`By who paid, ${monthName(month)}`}
                lead={<Shared statement={data} />}
                actions={matrix.addsUp ? <Badge kind="good">Adds up</Badge> : <Badge kind="bad">Does not add up</Badge>}
              >
                <MatrixTable matrix={matrix} caption={`Statement of ${monthName(month)} by payer`} />
              </Card>
            </>
          )
        }
      </Loaded>
      <div className="not-printed">
        <AllPaymasters month={month} />
      </div>
    </Page>
  );
}

type PaidProps = {
  readonly statement: GasTankStatementItem;
  /** The month before, to compare with; undefined for the first one. */
  readonly before: string | undefined;
};

/** What the month cost in one number, and what that is next to the month before. */
function Paid({ statement, before }: PaidProps) {
  const { you, users, unpriced, operations } = paidOf(statement);
  return (
    <section aria-label="What you paid" className="card not-printed">
      <p className="hero">{usdText(usdOfMicros(you))}</p>
      <p>
        <strong>
          paid by you for {operations.toLocaleString('en')} {operations === 1 ? 'operation' : 'operations'}
        </strong>
        {users === 0n ? '' : `, and ${usdText(usdOfMicros(users))} by users in tokens`}
        {unpriced === 0 ? '' : `. ${unpriced} more had no price`}
      </p>
      <p className="small muted">
        {before === undefined ? null : <Before month={before} />}
        {operations === 0 ? '' : `One operation cost you ${usdText(usdOfMicros(you / BigInt(operations)))}.`}
      </p>
    </section>
  );
}

function Before({ month }: { readonly month: string }) {
  const { data } = useQuery(statementQuery(usePaymaster(), month));
  if (data === undefined) return null;
  const { you, operations } = paidOf(data);
  return (
    <>
      {monthName(month)}: {usdText(usdOfMicros(you))} for {operations.toLocaleString('en')}.{' '}
    </>
  );
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
        : `The tank is shared: ${count} operations, for ${amountOfCoin(coinText(String(wei)), chainId)}, have no signature of this paymaster.`}
    </>
  );
}
