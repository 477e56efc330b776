import { useQuery } from '@tanstack/react-query';
import type { ReadUsageQuery, UsageItem } from '@tollfree/contract/usage';
import { type ReactNode, useState } from 'react';
import { useCallNames } from '../../abi/use-call-names.ts';
import { apiKeysQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { CostBar } from '../../parts/cost-bar.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Placeholder } from '../../parts/loaded.tsx';
import { OnExplorer } from '../../parts/on-explorer.tsx';
import { dayText } from '../../parts/text/days.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { percentText, type SplitCost, splitCost } from '../../parts/text/split-cost.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Short } from '../../parts/value.tsx';

type By = ReadUsageQuery['by'];

/** Rows shown at first, and so many more each time. */
const rowsAtOnce = 20;

type UsageTableProps = {
  readonly rows: readonly UsageItem[];
  readonly by: By;
  /** Heading of the dimension's column. */
  readonly title: string;
  /** What the names of the rows have. */
  readonly sought: string;
};

/** What each row cost, compared by bars. */
export function UsageTable({ rows, by, title, sought }: UsageTableProps) {
  const [most, setMost] = useState(rowsAtOnce);
  const textOf = useKeyText(by);
  const text = sought.trim().toLowerCase();
  const found = rows
    .filter(({ key }) => `${key} ${textOf(key)}`.toLowerCase().includes(text))
    .map((row) => ({ row, cost: splitCost(row) }));
  const costs = rows.map((row) => wholeOf(splitCost(row)));
  const highest = Math.max(0, ...costs);
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  if (found.length === 0) return <p className="muted">No row has “{sought.trim()}”.</p>;
  return (
    <>
      <DataTable
        caption={`Usage by ${title.toLowerCase()}`}
        layout="bars"
        rows={found.slice(0, most)}
        keyOf={({ row }) => row.key}
        columns={[
          { title, share: 26, cell: ({ row }) => <KeyText by={by} text={row.key} /> },
          {
            title: 'Cost',
            share: 32,
            cell: ({ row, cost }) => <CostBar cost={cost} highest={highest} unpriced={row.unpriced} />,
          },
          { title: 'Share', share: 10, isNumber: true, cell: ({ cost }) => percentText(wholeOf(cost), all) },
          { title: 'Operations', share: 12, isNumber: true, cell: ({ row }) => row.landed.toLocaleString(locale) },
          { title: 'Each', share: 10, isNumber: true, cell: ({ row, cost }) => eachText(row, cost) },
          {
            title: 'Refused',
            share: 10,
            isNumber: true,
            cell: ({ row }) => row.decisions.refused.toLocaleString(locale),
          },
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

function wholeOf({ own, users }: SplitCost): number {
  return own + users;
}

/** The cost of an operation whose price is known. */
function eachText({ landed, unpriced }: UsageItem, cost: SplitCost): string {
  return landed === unpriced ? '–' : usdText((wholeOf(cost) / (landed - unpriced)).toFixed(6));
}

const sampleRows = 4;
const samples = Array.from(
  { length: sampleRows },
  (_, index): UsageItem => ({
    key: `0x${String(index).padStart(40, '0')}:0x00000000`,
    decisions: { signed: 0, quoted: 0, stub: 0, refused: 0 },
    landed: 0,
    charge: '0',
    usersPaid: '0',
    chargeUsd: '0',
    unpriced: 0,
    held: '0',
  }),
);

export function UsageTablePlaceholder() {
  return (
    <Placeholder>
      <UsageTable by="method" title="Method" rows={samples} sought="" />
    </Placeholder>
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

/** What the rows `none` and `other` of a dimension are: what has no key, and what has one that is not counted by itself. */
function restOf(by: By, key: 'none' | 'other'): { readonly name: string; readonly about: string } {
  if (by === 'apiKey') return { name: 'Ended keys', about: 'those that no longer exist' };
  if (key === 'none') {
    if (by === 'sender') return { name: 'No sender', about: 'requests that could not be read' };
    if (by === 'token') return { name: 'No token', about: 'you paid' };
    return { name: 'No call', about: 'such as a payment in a token alone' };
  }
  return { name: 'Others', about: 'not sponsored, or too many to count each' };
}

/** The names of the paymaster's API keys by their id, where rows are about them. */
function useApiKeyNames(by: By): ReadonlyMap<string, string> {
  const { data = [] } = useQuery({ ...apiKeysQuery(usePaymaster()), enabled: by === 'apiKey' });
  return new Map(data.map(({ apiKeyId, name }) => [apiKeyId, name]));
}

/** The names in a row's key, for the search. */
function useKeyText(by: By): (key: string) => string {
  const nameOf = useCallNames();
  const apiKeyNames = useApiKeyNames(by);
  return (key) => {
    if (by === 'apiKey') return apiKeyNames.get(key) ?? '';
    if (by === 'outcome' || by === 'via') return words[key] ?? key;
    if (by === 'day') return dayText(key);
    const [target = '', selector] = key.split(':');
    const { contract = '', method = '' } = target.startsWith('0x') ? nameOf({ target, selector }) : {};
    return `${contract} ${method}`;
  };
}

function KeyText({ by, text }: { readonly by: By; readonly text: string }): ReactNode {
  const nameOf = useCallNames();
  const apiKeyNames = useApiKeyNames(by);
  if (text === 'none' || text === 'other') {
    const { name, about } = restOf(by, text);
    return (
      <div className="muted">
        {name}
        <span className="under">{about}</span>
      </div>
    );
  }
  if (by === 'outcome' || by === 'via') return words[text] ?? text;
  if (by === 'day') return <time dateTime={text}>{dayText(text)}</time>;
  if (!text.startsWith('0x')) return apiKeyNames.get(text) ?? text;
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
