import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReadUsageQuery, UsageItem } from '@tollfree/contract/usage';
import { useState } from 'react';
import { usageQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { RangeField } from '../../parts/range-field.tsx';
import { csvLines, saveCsv } from '../../parts/save-file.ts';
import { Segments } from '../../parts/segments.tsx';
import { daysOf } from '../../time/time-range.ts';
import { daysText, UsageByDay, UsageByHour } from './usage-charts.tsx';
import { dimensionLabels, dimensions, presets, type UsageSearch } from './usage-search.ts';
import { UsageTable, UsageTablePlaceholder } from './usage-table.tsx';
import { WaysCard } from './ways-card.tsx';

const severalCalls =
  'An operation with several calls counts in the row of each of them, so the rows add up to more than the total.';
const notes: Readonly<Partial<Record<ReadUsageQuery['by'], string>>> = {
  contract: severalCalls,
  method: severalCalls,
  attribution:
    'Codes that wallets and apps append to call data (ERC-8021). They are not verified. Operations without a code are in no row.',
};

const route = '/paymasters/$paymasterId/usage';

/** The paymaster's usage and its cost. */
export function UsagePage() {
  const paymaster = usePaymaster();
  const search: UsageSearch = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const { by = 'method', range = '30d' } = search;
  const days = daysOf(search, 'UTC');
  const usage = useQuery(usageQuery(paymaster, { by, ...days }));
  const [sought, setSought] = useState('');
  const title = dimensionLabels[by];
  const set = (next: UsageSearch) => void navigate({ search: next });
  return (
    <Page
      title="Usage"
      lead="What was paid for, for whom, and by whom. Days are in UTC."
      doc="usage"
      actions={
        <Button
          isDisabled={(usage.data?.length ?? 0) === 0}
          onPress={() => saveCsv(`${paymaster.name} by ${by}.csv`, csvText(title, usage.data ?? []))}
        >
          Save as CSV
        </Button>
      }
    >
      <section aria-label="Options" className="filters start">
        <RangeField
          presets={presets}
          time={search}
          usual="30d"
          calendar="UTC"
          onChange={(time) => set({ by, ...time })}
        />
        <p className="small muted">{range === '24h' ? 'Compared with the 24 hours before' : daysText(days)}</p>
      </section>
      {range === '24h' ? <UsageByHour /> : <UsageByDay days={days} />}
      <Card title="Breakdown" lead={range === '24h' ? 'Of today and yesterday.' : undefined}>
        <div className="filters">
          <Segments
            label="Group by"
            value={by}
            options={dimensions.map((value) => ({ value, text: dimensionLabels[value] }))}
            onChange={(next) => set({ ...search, by: next })}
          />
          <input
            type="search"
            className="input search"
            aria-label={`Search by ${title.toLowerCase()}`}
            placeholder={`Search by ${title.toLowerCase()}`}
            value={sought}
            onChange={({ target }) => setSought(target.value)}
          />
        </div>
        <Loaded query={usage} placeholder={<UsageTablePlaceholder />}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No requests on these days.">
                Requests to the RPC URL of the page Connect are counted here.
              </Empty>
            ) : (
              <UsageTable
                key={by}
                by={by}
                title={title}
                sought={sought}
                rows={by === 'day' ? rows.toSorted((one, other) => (one.key < other.key ? 1 : -1)) : rows}
              />
            )
          }
        </Loaded>
        {notes[by] === undefined ? null : <p className="small muted">{notes[by]}</p>}
      </Card>
      <WaysCard days={days} />
    </Page>
  );
}

/** Usage as CSV, amounts in wei, the cost in USD too. */
function csvText(keyTitle: string, rows: readonly UsageItem[]): string {
  const counts = ['Signed', 'Quoted', 'Estimated', 'Refused', 'Landed'];
  const money = ['Cost in wei', 'Cost in USD', 'Landed without a price', 'Paid by users in wei', 'Held in wei'];
  return csvLines([
    [keyTitle, ...counts, ...money],
    ...rows.map(({ key, decisions: { signed, quoted, stub, refused }, landed, ...amounts }) => [
      ...[key, signed, quoted, stub, refused, landed],
      ...[amounts.charge, amounts.chargeUsd, amounts.unpriced, amounts.usersPaid, amounts.held],
    ]),
  ]);
}
