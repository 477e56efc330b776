import type { UsageItem } from '@tollfree/contract/usage';
import { Coin } from '../../parts/coin.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Usd } from '../../parts/usd.tsx';

/** Usage in numbers. `title` heads the column of what it is told apart by. */
export function UsageTable({ rows, title }: { readonly rows: readonly UsageItem[]; readonly title: string }) {
  return (
    <DataTable
      caption={`Usage by ${title.toLowerCase()}`}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { title, cell: ({ key }) => <KeyText text={key} /> },
        { title: 'Signed', isNumber: true, cell: ({ decisions }) => decisions.signed },
        { title: 'Refused', isNumber: true, cell: ({ decisions }) => decisions.refused },
        { title: 'Landed', isNumber: true, cell: ({ landed }) => landed },
        { title: 'Cost', isNumber: true, cell: ({ charge }) => <Coin wei={charge} /> },
        { title: 'Cost in USD', isNumber: true, cell: (row) => <Usd text={row.chargeUsd} unpriced={row.unpriced} /> },
        { title: 'Held', isNumber: true, cell: ({ held }) => <Coin wei={held} /> },
      ]}
    />
  );
}

function KeyText({ text }: { readonly text: string }) {
  if (text === 'none') return <span className="muted">None</span>;
  return text.startsWith('0x') ? <code>{text}</code> : text;
}
