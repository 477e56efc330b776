import { useQuery } from '@tanstack/react-query';
import type { UsageItem } from '@tollfree/contract/usage';
import { type ReactNode, useState } from 'react';
import { live } from '../../api/live.ts';
import { usageQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { Loaded, Placeholder } from '../../parts/loaded.tsx';
import { Segments } from '../../parts/segments.tsx';
import { counted } from '../../parts/text/counted.ts';
import { dayText } from '../../parts/text/days.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { changeText, percentText, type SplitCost, splitCost } from '../../parts/text/split-cost.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { costInCents } from '../../parts/text/whole-cents.ts';
import { Tile } from '../../parts/tile.tsx';
import { type Days, lastDays } from '../../time/time-range.ts';

/** A day or an hour of usage. */
type Slot = SplitCost & {
  readonly label: string;
  readonly signed: number;
  readonly refused: number;
  readonly landed: number;
  readonly unpriced: number;
};

/** The usage of a day or an hour; zero without a row. */
function slotOf(label: string, row: UsageItem | undefined): Slot {
  const { decisions, landed = 0, unpriced = 0 } = row ?? {};
  const { signed = 0, refused = 0 } = decisions ?? {};
  const { own, users } = row === undefined ? { own: 0, users: 0 } : splitCost(row);
  return { label, signed, refused, landed, unpriced, own, users };
}

/** Consecutive days or hours, and as many before them if they were read. */
type Period = { readonly slots: readonly Slot[]; readonly before: readonly Slot[] };

type UsageOverTimeProps = {
  readonly title: string;
} & TilesProps;

/** A period's sums, each compared with the period before, and its course. */
function UsageOverTime({ title, ...tiles }: UsageOverTimeProps) {
  return (
    <>
      <UsageTiles {...tiles} />
      <UsageChart slots={tiles.period.slots} title={title} />
    </>
  );
}

function totalOf(slots: readonly Slot[]): Omit<Slot, 'label'> {
  const add = (of: (slot: Slot) => number) => slots.reduce((sum, slot) => sum + of(slot), 0);
  return {
    own: add(({ own }) => own),
    users: add(({ users }) => users),
    signed: add(({ signed }) => signed),
    refused: add(({ refused }) => refused),
    landed: add(({ landed }) => landed),
    unpriced: add(({ unpriced }) => unpriced),
  };
}

function usd(value: number): string {
  return usdText(value.toFixed(6));
}

function count(value: number): string {
  return value.toLocaleString(locale, { maximumFractionDigits: 1 });
}

type TilesProps = {
  readonly period: Period;
  /** What 95 of 100 operations cost at most, where it is known; null while it is read. */
  readonly costOf95?: string | null | undefined;
  /** Further tiles. */
  readonly children?: ReactNode;
};

function UsageTiles({ period: { slots, before }, costOf95, children }: TilesProps) {
  const now = totalOf(slots);
  const earlier = totalOf(before);
  const all = now.own + now.users;
  const priced = now.landed - now.unpriced;
  const shown = costInCents(now);
  const changed = (of: (total: typeof now) => number, format: (value: number) => string) =>
    before.length === 0 ? '\u00a0' : changeText(of(now), of(earlier), format);
  return (
    <dl className="tiles">
      <Tile title="You paid" value={usd(now.own)} note={changed(({ own }) => own, usd)} />
      <Tile
        title="Users paid"
        value={usd(now.users)}
        note={`${percentText(now.users, all)} of ${usd(shown.own + shown.users)}`}
      />
      <Tile
        title="One operation, on average"
        value={priced === 0 ? '–' : usd(all / priced)}
        note={averageNote(now.unpriced, costOf95)}
      />
      <Tile title="Operations" value={count(now.landed)} note={changed(({ landed }) => landed, count)} />
      {children}
    </dl>
  );
}

/** What most operations cost, and which ones an average leaves out. */
function averageNote(unpriced: number, costOf95: TilesProps['costOf95']): string {
  if (costOf95 === null) return '\u00a0';
  if (costOf95 === undefined) {
    return unpriced === 0 ? 'yours and the users’ part' : `without ${count(unpriced)} whose price is unknown`;
  }
  const most = `95 of 100 cost ${usdText(costOf95)} or less`;
  return unpriced === 0 ? most : `${most}, ${count(unpriced)} without a price`;
}

const metrics = [
  { value: 'cost', text: 'Cost' },
  { value: 'landed', text: 'Operations' },
  { value: 'requests', text: 'Requests' },
] as const;

/** Cost, operations or requests over time. */
function UsageChart({ slots, title }: { readonly slots: readonly Slot[]; readonly title: string }) {
  const [metric, setMetric] = useState<(typeof metrics)[number]['value']>('cost');
  const labels = slots.map(({ label }) => label);
  return (
    <Card title={title} actions={<Segments label="Shown" value={metric} options={metrics} onChange={setMetric} />}>
      {metric === 'cost' ? (
        <Chart
          shape="bars"
          labels={labels}
          series={[
            { name: 'You paid', values: slots.map(({ own }) => own) },
            { name: 'Users paid', kind: 'soft', values: slots.map(({ users }) => users) },
          ]}
          format={usd}
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
    </Card>
  );
}

function ChartPlaceholder({ title, children }: Pick<UsageOverTimeProps, 'title' | 'children'>): ReactNode {
  return (
    <>
      <Placeholder>
        <UsageTiles period={{ slots: [], before: [] }}>{children}</UsageTiles>
      </Placeholder>
      <Card title={title} actions={<Segments label="Shown" value="cost" options={metrics} onChange={() => {}} />}>
        <Placeholder>
          <Chart
            shape="bars"
            labels={['–', '–']}
            series={[
              { name: 'You paid', values: [] },
              { name: 'Users paid', values: [] },
            ]}
            format={() => '$0.00'}
          />
        </Placeholder>
      </Card>
    </>
  );
}

const hours = 24;

/** The last 24 hours. */
export function UsageByHour() {
  const query = useQuery({
    ...usageQuery(usePaymaster(), { by: 'hour', ...lastDays(3, 'UTC') }),
    refetchInterval: live(),
  });
  const title = 'The last 24 hours';
  return (
    <Loaded query={query} placeholder={<ChartPlaceholder title={title} />}>
      {(rows) => <UsageOverTime title={title} period={hoursOf(rows, Date.now())} />}
    </Loaded>
  );
}

/** Each hour up to a moment (milliseconds), oldest first, without gaps. */
function hoursOf(rows: readonly UsageItem[], now: number): Period {
  const known = new Map(rows.map((row) => [Date.parse(row.key), row]));
  const last = now - (now % 3_600_000);
  const slots = Array.from({ length: 2 * hours }, (_, index) => {
    const hour = last - (2 * hours - 1 - index) * 3_600_000;
    const label = new Date(hour).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hour12: false });
    return slotOf(label, known.get(hour));
  });
  return { before: slots.slice(0, hours), slots: slots.slice(hours) };
}

const dayMs = 86_400_000;

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Most days that the service reads at once. */
const mostDays = 366;

/** Days as far as they are shown: their number, and their first one in milliseconds. */
function spanOf({ from, until }: Days) {
  const first = Date.parse(from);
  const length = Math.min(mostDays, Math.max(1, Math.round((Date.parse(until) - first) / dayMs) + 1));
  return { first, length, isCompared: 2 * length <= mostDays };
}

/** The senders whose operations landed, and what one of them cost. */
function UsersTile({ total }: { readonly total: UsageItem | undefined }) {
  const { users = 0 } = total ?? {};
  if (total === undefined || users === 0) return <Tile title="Users" value="–" note={'\u00a0'} />;
  const { own, users: byUsers } = splitCost(total);
  return <Tile title="Users" value={count(users)} note={`${usd((own + byUsers) / users)} each`} />;
}

/** Days, compared with as many days before. */
export function UsageByDay({ days }: { readonly days: Days }) {
  const { first, length, isCompared } = spanOf(days);
  const from = isCompared ? dayOf(first - length * dayMs) : days.from;
  const paymaster = usePaymaster();
  const query = useQuery(usageQuery(paymaster, { by: 'day', from, until: days.until }));
  const { data: [total] = [], isPending } = useQuery(usageQuery(paymaster, { by: 'total', ...days }));
  return (
    <Loaded
      query={query}
      placeholder={
        <ChartPlaceholder title="Each day">
          <Tile title="Users" value="–" note={'\u00a0'} />
        </ChartPlaceholder>
      }
    >
      {(rows) => (
        <UsageOverTime
          title="Each day"
          period={daysOf(rows, days)}
          costOf95={isPending ? null : total?.costOf95PercentUsd}
        >
          <UsersTile total={total} />
        </UsageOverTime>
      )}
    </Loaded>
  );
}

/** Every day of a range, including those without usage. */
function daysOf(rows: readonly UsageItem[], days: Days): Period {
  const { first, length, isCompared } = spanOf(days);
  const known = new Map(rows.map((row) => [row.key, row]));
  const slotsFrom = (start: number) =>
    Array.from({ length }, (_, index) => {
      const day = dayOf(start + index * dayMs);
      return slotOf(dayText(day), known.get(day));
    });
  return { slots: slotsFrom(first), before: isCompared ? slotsFrom(first - length * dayMs) : [] };
}

/** The days that a page shows, and with what it compares them. */
export function daysText(days: Days): string {
  const { length, isCompared } = spanOf(days);
  const shown = days.from === days.until ? dayText(days.from) : `${dayText(days.from)} to ${dayText(days.until)}`;
  if (!isCompared) return shown;
  return `${shown}, compared with ${length === 1 ? 'the day' : `the ${counted(length, 'day')}`} before`;
}
