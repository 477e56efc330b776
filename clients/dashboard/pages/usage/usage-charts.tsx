import { useQuery } from '@tanstack/react-query';
import type { UsageItem } from '@tollfree/contract/usage';
import { useState } from 'react';
import { live } from '../../api/live.ts';
import { usageQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Segments } from '../../parts/segments.tsx';
import { usdText } from '../../parts/text/usd-text.ts';
import { lastDays } from '../../time/time-range.ts';

/** A day or an hour of usage. The cost is in USD. */
type Slot = {
  readonly label: string;
  readonly signed: number;
  readonly refused: number;
  readonly landed: number;
  readonly usd: number;
};

/** The usage of a day or an hour; zero without a row. */
export function slotOf(label: string, row: UsageItem | undefined): Slot {
  return {
    label,
    signed: row?.decisions.signed ?? 0,
    refused: row?.decisions.refused ?? 0,
    landed: row?.landed ?? 0,
    usd: Number(row?.chargeUsd ?? 0),
  };
}

const metrics = [
  { value: 'requests', text: 'Requests' },
  { value: 'cost', text: 'Cost' },
  { value: 'landed', text: 'Operations' },
] as const;

/** Requests, cost or operations over time. */
export function UsageCharts({ slots, title }: { readonly slots: readonly Slot[]; readonly title: string }) {
  const [metric, setMetric] = useState<(typeof metrics)[number]['value']>('requests');
  const labels = slots.map(({ label }) => label);
  return (
    <Card title={title} actions={<Segments label="Shown" value={metric} options={metrics} onChange={setMetric} />}>
      {metric === 'requests' ? (
        <Chart
          shape="bars"
          labels={labels}
          series={[
            { name: 'Sponsored', values: slots.map(({ signed }) => signed) },
            { name: 'Refused', kind: 'bad', values: slots.map(({ refused }) => refused) },
          ]}
          format={count}
        />
      ) : null}
      {metric === 'cost' ? (
        <Chart
          shape="area"
          labels={labels}
          series={[{ name: 'Cost', values: slots.map(({ usd }) => usd) }]}
          format={(value) => usdText(value.toFixed(6))}
        />
      ) : null}
      {metric === 'landed' ? (
        <Chart
          shape="bars"
          labels={labels}
          series={[{ name: 'Operations', values: slots.map(({ landed }) => landed) }]}
          format={count}
        />
      ) : null}
    </Card>
  );
}

function count(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}

const hours = 24;

/** The last 24 hours. */
export function HourCharts() {
  const query = useQuery({
    ...usageQuery(usePaymaster(), { by: 'hour', ...lastDays(2, 'UTC') }),
    refetchInterval: live(),
  });
  return (
    <Loaded query={query}>
      {(rows) => <UsageCharts title="The last 24 hours" slots={slotsOf(rows, Date.now())} />}
    </Loaded>
  );
}

/** Each hour up to a moment (milliseconds), oldest first, without gaps. */
function slotsOf(rows: readonly UsageItem[], now: number) {
  const known = new Map(rows.map((row) => [Date.parse(row.key), row]));
  const last = now - (now % 3_600_000);
  return Array.from({ length: hours }, (_, index) => {
    const hour = last - (hours - 1 - index) * 3_600_000;
    const label = new Date(hour).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
    return slotOf(label, known.get(hour));
  });
}
