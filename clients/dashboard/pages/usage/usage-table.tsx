import type { ReadUsageQuery, UsageItem } from '@tollfree/contract/usage';
import type { ReactNode } from 'react';
import { useCallNames } from '../../abi/use-call-names.ts';
import { OnExplorer } from '../../explorer/on-explorer.tsx';
import { Coin } from '../../parts/coin.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Short } from '../../parts/short.tsx';
import { Usd } from '../../parts/usd.tsx';

type UsageTableProps = {
  readonly rows: readonly UsageItem[];
  readonly by: ReadUsageQuery['by'];
  /** Heading of the dimension's column. */
  readonly title: string;
};

/** Usage as a table. */
export function UsageTable({ rows, by, title }: UsageTableProps) {
  return (
    <DataTable
      caption={`Usage by ${title.toLowerCase()}`}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { title, cell: ({ key }) => <KeyText by={by} text={key} /> },
        { title: 'Sponsored', isNumber: true, cell: ({ decisions }) => decisions.signed },
        { title: 'Refused', isNumber: true, cell: ({ decisions }) => decisions.refused },
        { title: 'Landed', isNumber: true, cell: ({ landed }) => landed },
        { title: 'Cost in USD', isNumber: true, cell: (row) => <Usd text={row.chargeUsd} unpriced={row.unpriced} /> },
        { title: 'Cost', isNumber: true, cell: ({ charge }) => <Coin wei={charge} /> },
        { title: 'Held', isNumber: true, cell: ({ held }) => <Coin wei={held} /> },
      ]}
    />
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

function KeyText({ by, text }: { readonly by: ReadUsageQuery['by']; readonly text: string }): ReactNode {
  const nameOf = useCallNames();
  if (text === 'none') return <span className="muted">None</span>;
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
