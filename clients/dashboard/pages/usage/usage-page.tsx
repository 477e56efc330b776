import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ReadUsageQuery, UsageItem } from '@tollfree/contract/usage';
import { type ReactNode, useState } from 'react';
import { useCallNames } from '../../abi/use-call-names.ts';
import { usageQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { OnExplorer } from '../../parts/on-explorer.tsx';
import { Page } from '../../parts/page.tsx';
import { RangeField } from '../../parts/range-field.tsx';
import { csvLines, saveCsv } from '../../parts/save-file.ts';
import { dayText } from '../../parts/text/days.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { Coin, Usd } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';
import { daysOf } from '../../time/time-range.ts';
import { HourCharts, slotOf, UsageCharts } from './usage-charts.tsx';
import { dimensionLabels, dimensions, presets, type UsageSearch } from './usage-search.ts';
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
  const days = daysOf(search, 'UTC');
  const byDay = useQuery(usageQuery(paymaster, { by: 'day', ...days }));
  const usage = useQuery(usageQuery(paymaster, { by, ...days }));
  const title = dimensionLabels[by];
  const set = (next: UsageSearch) => void navigate({ search: next });
  return (
    <Page
      title="Usage"
      lead="Requests, operations, and what you paid for them without what users paid. Days are in UTC."
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
          time={search}
          usual="30d"
          calendar="UTC"
          onChange={(time) => set({ by, ...time })}
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
        title="Breakdown"
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
  const money = ['Cost in wei', 'Cost in USD', 'Landed without a price', 'Paid by users in wei', 'Held in wei'];
  return csvLines([
    [keyTitle, ...counts, ...money],
    ...rows.map(({ key, decisions: { signed, quoted, stub, refused }, landed, ...amounts }) => [
      ...[key, signed, quoted, stub, refused, landed],
      ...[amounts.charge, amounts.chargeUsd, amounts.unpriced, amounts.usersPaid, amounts.held],
    ]),
  ]);
}

type UsageTableProps = {
  readonly rows: readonly UsageItem[];
  readonly by: ReadUsageQuery['by'];
  /** Heading of the dimension's column. */
  readonly title: string;
};

/** Rows shown at first, and so many more each time. */
const rowsAtOnce = 20;

function UsageTable({ rows, by, title }: UsageTableProps) {
  const [sought, setSought] = useState('');
  const [most, setMost] = useState(rowsAtOnce);
  const textOf = useKeyText(by);
  const found = rows.filter(({ key }) => `${key} ${textOf(key)}`.toLowerCase().includes(sought.trim().toLowerCase()));
  const highest = Math.max(...rows.map(ownUsd), 0);
  return (
    <>
      {rows.length <= rowsAtOnce ? null : (
        <TextInput label={`Search by ${title.toLowerCase()}`} value={sought} onChange={setSought} />
      )}
      <DataTable
        caption={`Usage by ${title.toLowerCase()}`}
        rows={found.slice(0, most)}
        keyOf={({ key }) => key}
        columns={[
          { title, cell: ({ key }) => <KeyText by={by} text={key} /> },
          { title: 'Sponsored', isNumber: true, cell: ({ decisions }) => decisions.signed },
          { title: 'Refused', isNumber: true, cell: ({ decisions }) => decisions.refused },
          { title: 'Landed', isNumber: true, cell: ({ landed }) => landed },
          { title: 'You paid', isNumber: true, cell: (row) => <OwnCost row={row} highest={highest} /> },
          {
            title: 'Users paid',
            isNumber: true,
            cell: ({ usersPaid }) => (usersPaid === '0' ? <span className="muted">–</span> : <Coin wei={usersPaid} />),
          },
          { title: 'Held', isNumber: true, cell: ({ held }) => <Coin wei={held} /> },
        ]}
      />
      {found.length <= most ? null : (
        <div>
          <Button onPress={() => setMost(most + rowsAtOnce)}>
            Show {Math.min(rowsAtOnce, found.length - most)} more
          </Button>
        </div>
      )}
    </>
  );
}

/** What the sponsor bears of a row's cost, in USD. Users pay a part of the wei; its price is that of the whole. */
function ownUsd({ charge, usersPaid, chargeUsd }: UsageItem): number {
  return charge === '0' ? Number(chargeUsd) : Number(chargeUsd) * (1 - Number(usersPaid) / Number(charge));
}

/** The cost without what users paid, with a bar that compares it with the other rows. */
function OwnCost({ row, highest }: { readonly row: UsageItem; readonly highest: number }) {
  const own = BigInt(row.charge) - BigInt(row.usersPaid);
  return (
    <div className="bar-cell">
      <Usd text={ownUsd(row).toFixed(6)} unpriced={row.unpriced} />
      <span className="under">
        <Coin wei={own.toString()} />
      </span>
      {highest === 0 ? null : (
        <span className="bar-track" aria-hidden="true">
          <span className="bar-fill" style={{ width: `${(ownUsd(row) / highest) * 100}%` }} />
        </span>
      )}
    </div>
  );
}

/** Labels of answers and payment ways. */
const words: Readonly<Record<string, string>> = {
  signed: 'Sponsored',
  quoted: 'Quoted',
  stub: 'Estimated',
  refused: 'Refused',
  paymaster: 'Paymaster contract',
  relay: 'Relay',
};

/** The names in a row's key, for the search. */
function useKeyText(by: ReadUsageQuery['by']): (key: string) => string {
  const nameOf = useCallNames();
  return (key) => {
    if (by === 'outcome' || by === 'via') return words[key] ?? key;
    const [target = '', selector] = key.split(':');
    const { contract = '', method = '' } = target.startsWith('0x') ? nameOf({ target, selector }) : {};
    return `${contract} ${method}`;
  };
}

function KeyText({ by, text }: { readonly by: ReadUsageQuery['by']; readonly text: string }): ReactNode {
  const nameOf = useCallNames();
  if (text === 'none') return <span className="muted">None</span>;
  if (text === 'other') return <span className="muted">Others</span>;
  if (by === 'outcome' || by === 'via') return words[text] ?? text;
  if (!text.startsWith('0x')) return text;
  const [target = '', selector] = text.split(':');
  const { contract, method } = nameOf({ target, selector: selector === '0x' ? undefined : selector });
  const name = by === 'method' ? (method ?? selector) : contract;
  return (
    <div>
      {name === undefined ? null : <strong>{name}</strong>}
      <span className={name === undefined ? undefined : 'under'}>
        {by === 'method' && contract !== undefined ? (
          contract
        ) : (
          <OnExplorer kind="address" hex={target}>
            <Short hex={target} />
          </OnExplorer>
        )}
      </span>
    </div>
  );
}
