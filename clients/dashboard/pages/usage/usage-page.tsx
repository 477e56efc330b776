import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ReadUsageQuery, UsageItem } from '@tollfree/contract/usage';
import { usageQuery } from '../../api/of-paymaster.ts';
import { csvLines } from '../../csv/csv-lines.ts';
import { saveCsv } from '../../csv/save-csv.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { RangeField } from '../../parts/range-field.tsx';
import { dayText } from '../../parts/text/day-text.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { HourCharts } from './hour-charts.tsx';
import { slotOf, UsageCharts } from './usage-charts.tsx';
import { daysOf, dimensionLabels, dimensions, presets, type UsageSearch } from './usage-search.ts';
import { UsageTable } from './usage-table.tsx';
import { WaysCard } from './ways-card.tsx';

const severalCalls =
  'An operation with several calls counts once for each, so these rows add up to more than the total.';
const leads: Readonly<Partial<Record<ReadUsageQuery['by'], string>>> = {
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
  const { by = 'day', range = '30d' } = search;
  const days = daysOf(search);
  const byDay = useQuery(usageQuery(paymaster, { by: 'day', ...days }));
  const usage = useQuery(usageQuery(paymaster, { by, ...days }));
  const title = dimensionLabels[by];
  const set = (next: UsageSearch) => void navigate({ search: next });
  return (
    <Page
      title="Usage"
      lead="Requests, operations and cost. Days are in UTC."
      actions={
        <Button
          isDisabled={(usage.data?.length ?? 0) === 0}
          onPress={() => saveCsv(`${paymaster.name} by ${by}.csv`, csvText(title, usage.data ?? []))}
        >
          Save as CSV
        </Button>
      }
    >
      <section aria-label="Options">
        <RangeField
          presets={presets}
          value={range}
          days={days}
          onChange={(next, chosen) => set({ by, range: next, ...(next === 'custom' ? chosen : {}) })}
        />
      </section>
      {range === '24h' ? (
        <HourCharts />
      ) : (
        <Loaded query={byDay}>
          {(rows) => <UsageCharts title="Each day" slots={slotsOf(rows, days.from, days.until)} />}
        </Loaded>
      )}
      <WaysCard days={days} />
      <Card
        title={`By ${title.toLowerCase()}`}
        {...omitAbsent({ lead: leads[by] })}
        actions={
          <Choice
            label="Group by"
            isLabelHidden
            value={by}
            options={dimensions.map((value) => ({ value, text: `By ${dimensionLabels[value].toLowerCase()}` }))}
            onChange={(next) => set({ ...search, by: next })}
          />
        }
      >
        <Loaded query={usage}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No requests on these days.">
                Requests to the RPC URL of the page Connect are counted here.
              </Empty>
            ) : (
              <UsageTable
                by={by}
                title={title}
                rows={by === 'day' ? rows.toSorted((one, other) => (one.key < other.key ? 1 : -1)) : rows}
              />
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

/** Most days in the chart. */
const mostDays = 366;

/** Every day of the range, including those without usage. */
function slotsOf(rows: readonly UsageItem[], from: string, until: string) {
  const known = new Map(rows.map((row) => [row.key, row]));
  const first = Date.parse(from);
  const count = Math.min(mostDays, Math.max(1, Math.round((Date.parse(until) - first) / 86_400_000) + 1));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(first + index * 86_400_000).toISOString().slice(0, 10);
    return slotOf(dayText(day), known.get(day));
  });
}

/** Usage as CSV, amounts in wei, the cost in USD too. */
function csvText(keyTitle: string, rows: readonly UsageItem[]): string {
  const counts = ['Signed', 'Quoted', 'Estimated', 'Refused', 'Landed'];
  const money = ['Cost in wei', 'Cost in USD', 'Landed without a price', 'Held in wei'];
  return csvLines([
    [keyTitle, ...counts, ...money],
    ...rows.map(({ key, decisions: { signed, quoted, stub, refused }, landed, charge, chargeUsd, unpriced, held }) => [
      ...[key, signed, quoted, stub, refused, landed],
      ...[charge, chargeUsd, unpriced, held],
    ]),
  ]);
}
