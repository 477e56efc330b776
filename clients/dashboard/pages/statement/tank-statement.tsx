import type { TankStatementItem } from '@tollfree/contract/gas-tank-statement';
import type { ReactNode } from 'react';
import { Card } from '../../parts/card.tsx';
import { Coin } from '../../parts/coin.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { coinText } from '../../parts/text/coin-text.ts';
import { Usd } from '../../parts/usd.tsx';
import { statementHeads } from './statement-heads.ts';

type Row = { readonly title: string; readonly wei: string; readonly usd?: ReactNode };

/** One tank's month: each line with its exact wei and its worth. */
export function TankStatement({ tank }: { readonly tank: TankStatementItem }) {
  const { fundingWallet, opening, closing, operations, elsewhere, usersPaid } = tank;
  const rows: readonly Row[] = [
    { title: 'Opening balance', wei: opening },
    ...statementHeads.map(({ head, title, takes }) => {
      const { wei, usd, unpriced } = tank[head];
      const isNothing = wei === '0' && unpriced === 0;
      return {
        title,
        wei: takes ? negated(wei) : wei,
        ...(isNothing ? {} : { usd: <Usd text={usd} unpriced={unpriced} /> }),
      };
    }),
    { title: 'Paid by users in tokens (part of spent)', wei: negated(usersPaid) },
    { title: 'Closing balance', wei: closing },
  ];
  const others =
    elsewhere.operations === 0
      ? ''
      : ` ${elsewhere.operations} of them, for ${coinText(elsewhere.wei)} of the coin, without a signature of this paymaster: the tank is shared.`;
  return (
    <Card
      title={`Tank of ${fundingWallet}`}
      lead={`${operations} ${operations === 1 ? 'operation' : 'operations'} landed.${others}`}
    >
      <DataTable
        caption={`Statement of the tank of ${fundingWallet}`}
        rows={rows}
        keyOf={({ title }) => title}
        columns={[
          { title: 'Entry', cell: ({ title }) => title },
          { title: 'Amount', isNumber: true, cell: ({ wei }) => <Coin wei={wei} /> },
          { title: 'USD', isNumber: true, cell: ({ usd = '–' }) => usd },
        ]}
      />
    </Card>
  );
}

function negated(wei: string): string {
  if (wei === '0') return wei;
  return wei.startsWith('-') ? wei.slice(1) : `-${wei}`;
}
