import { useQuery } from '@tanstack/react-query';
import type { GasTankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { useState } from 'react';
import { statementQuery } from '../../api/of-paymaster.ts';
import { csvLines } from '../../csv/csv-lines.ts';
import { saveCsv } from '../../csv/save-csv.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { chainName } from '../../parts/text/chain-name.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { statementHeads } from './statement-heads.ts';
import { TankStatement } from './tank-statement.tsx';

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
                  upstream && ['Upstream', `${upstream.operations} operations, at most ${upstream.worstCaseUsd} USD`],
                ]}
              />
              {tanks.map((tank) => (
                <TankStatement key={tank.fundingWallet} tank={tank} />
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
    ['Month', 'Chain', 'Contract', 'Funding wallet', 'Opening in wei', ...heads, 'Closing in wei', 'Operations'].concat(
      elsewhere,
    ),
    ...tanks.map((tank) => [
      ...[month, chainId, contract, tank.fundingWallet, tank.opening],
      ...statementHeads.flatMap(({ head }) => [tank[head].wei, tank[head].usd, tank[head].unpriced]),
      ...[tank.closing, tank.operations, tank.elsewhere.operations, tank.elsewhere.wei],
    ]),
  ]);
}
