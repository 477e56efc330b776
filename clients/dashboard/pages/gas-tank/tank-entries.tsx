import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GasTankEntryItem } from '@tollfree/contract/gas-tank';
import { useEffect, useState } from 'react';
import { gasTankEntriesQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Chip } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Loaded, LoadMore, Placeholder } from '../../parts/loaded.tsx';
import { Age, Moment } from '../../parts/moment.tsx';
import { OnExplorer } from '../../parts/on-explorer.tsx';
import { Coin, Worth } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';

const words: Readonly<Record<GasTankEntryItem['kind'], string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  credit: 'Credit by the operator',
  debit: 'Debit by the operator',
  settle: 'Paid for an operation',
  release: 'Hold released',
};

/** Entries that change no balance. */
const holdKinds: readonly GasTankEntryItem['kind'][] = ['release'];

/**
 * The tank's entries, newest first. Read again when `funded`, the state of the tank, changes. Entries of operations before
 * `since` (Unix seconds) are archived.
 */
export function TankEntries({ funded, since }: { readonly funded: string; readonly since?: number | undefined }) {
  const paymaster = usePaymaster();
  const [withHolds, setWithHolds] = useState(false);
  const entries = useInfiniteQuery(gasTankEntriesQuery(paymaster));
  const { refetch } = entries;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the tank has other entries
  useEffect(() => void refetch(), [funded, refetch]);
  return (
    <Card
      title="Entries"
      actions={
        <Chip isOn={withHolds} onPress={() => setWithHolds(!withHolds)}>
          Show released holds
        </Chip>
      }
    >
      <Loaded query={entries} placeholder={<EntriesPlaceholder />}>
        {({ pages }) => {
          const rows = pages
            .flatMap((page) => page.entries)
            .filter(({ kind }) => withHolds || !holdKinds.includes(kind));
          if (rows.length === 0) {
            return <Empty title="No entries yet.">Deposits appear here once the chain has confirmed them.</Empty>;
          }
          return <EntryTable rows={rows} />;
        }}
      </Loaded>
      <LoadMore query={entries} label="Load older" />
      {since === undefined || entries.hasNextPage ? null : (
        <p className="under">
          Operations before <Moment at={since} /> are archived.
        </p>
      )}
    </Card>
  );
}

function EntryTable({ rows }: { readonly rows: readonly GasTankEntryItem[] }) {
  const paymaster = usePaymaster();
  return (
    <DataTable
      caption="Entries of the gas tank"
      layout="lines"
      rows={rows}
      keyOf={({ entryId }) => String(entryId)}
      columns={[
        { title: 'What', share: 34, cell: (entry) => <EntryText entry={entry} /> },
        {
          title: 'Amount',
          isNumber: true,
          share: 24,
          cell: (entry) => (
            <div>
              <Coin wei={signed(entry)} />
              <span className="under">
                <Worth wei={signed(entry)} paymaster={paymaster} />
              </span>
            </div>
          ),
        },
        {
          title: 'Transaction',
          share: 27,
          cell: ({ txHash }) => (txHash === undefined ? '–' : <Transaction hash={txHash} />),
        },
        { title: 'Age', isNumber: true, share: 15, cell: ({ createdAt }) => <Age at={createdAt} /> },
      ]}
    />
  );
}

const sampleRows = 5;
const samples = Array.from(
  { length: sampleRows },
  (_, entryId): GasTankEntryItem => ({ entryId, kind: 'deposit', amount: '1', createdAt: 0 }),
);

function EntriesPlaceholder() {
  return (
    <Placeholder>
      <EntryTable rows={samples} />
    </Placeholder>
  );
}

/** Entries that take from the tank. A reversed one gives it back. */
const takingKinds: readonly GasTankEntryItem['kind'][] = ['withdrawal', 'debit', 'settle'];

function signed({ kind, amount, reverses }: GasTankEntryItem): string {
  return takingKinds.includes(kind) === (reverses === undefined) ? `-${amount}` : amount;
}

function Transaction({ hash }: { readonly hash: string }) {
  return (
    <OnExplorer kind="tx" hex={hash}>
      <Short hex={hash} />
    </OnExplorer>
  );
}

/** What an entry is. A payment leads to the operations of its transaction. */
function EntryText({ entry }: { readonly entry: GasTankEntryItem }) {
  const { paymasterId } = usePaymaster();
  const { kind, txHash } = entry;
  if (kind !== 'settle' || txHash === undefined) return describe(entry);
  return (
    <Link to="/paymasters/$paymasterId/activity" params={{ paymasterId }} search={{ text: txHash }}>
      {describe(entry)}
    </Link>
  );
}

function describe({ kind, reason, reverses }: GasTankEntryItem): string {
  const because = reason === undefined ? '' : `: ${reason}`;
  return reverses === undefined ? `${words[kind]}${because}` : `${words[kind]}, reversed (entry ${reverses})`;
}
