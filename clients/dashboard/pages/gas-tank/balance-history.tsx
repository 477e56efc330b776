import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { tankDaysQuery } from '../../api/of-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Coin } from '../../parts/coin.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Loading } from '../../parts/loading.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

const BalanceChart = lazy(async () => ({ default: (await import('./balance-chart.tsx')).BalanceChart }));

const spans = [
  { value: '30', text: 'The last 30 days' },
  { value: '90', text: 'The last 90 days' },
  { value: '365', text: 'The last 365 days' },
] as const;

/** What was in the tank day by day, drawn and in numbers. It is read again when `state`, that of the tank, is another. */
export function BalanceHistory({ state }: { readonly state: string }) {
  const paymaster = usePaymaster();
  const [span, setSpan] = useState<(typeof spans)[number]['value']>('30');
  const query = useQuery(tankDaysQuery(paymaster, Number(span), state));
  return (
    <Card title="Over time" lead="Balance at the end of each UTC day, including holds.">
      <div className="form-row">
        <Choice label="Days" value={span} options={spans} onChange={setSpan} />
      </div>
      <Loaded query={query}>
        {(days) => (
          <>
            <Suspense fallback={<Loading />}>
              <BalanceChart days={days} />
            </Suspense>
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
