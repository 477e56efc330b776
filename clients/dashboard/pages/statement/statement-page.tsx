import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { statementQuery } from '../../api/of-paymaster.ts';
import { saveCsv } from '../../csv/save-csv.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { chainName } from '../../parts/text/chain-name.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { monthName, monthsUpTo } from './months.ts';
import { statementCsv } from './statement-csv.ts';
import { TankStatement } from './tank-statement.tsx';

/** What became of the gas tank in a month, to read, print and save. */
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
