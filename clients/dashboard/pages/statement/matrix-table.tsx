import { usePaymaster } from '../../api/use-paymaster.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin, usePrice } from '../../parts/usd.tsx';
import { type Amount, type Matrix, type Row, usdOfMicros } from './statement-matrix.ts';

/** What stands first in each cell: USD at the prices of then, or the coin, which adds up to the wei. The other stands below. */
export type Unit = 'usd' | 'coin';

/** A paymaster's month, a column for each payer. */
export function MatrixTable({
  matrix: { columns, rows },
  unit,
  caption,
}: {
  readonly matrix: Matrix;
  readonly unit: Unit;
  readonly caption: string;
}) {
  return (
    <DataTable
      caption={caption}
      layout="matrix"
      rows={rows}
      keyOf={({ title }) => title}
      kindOf={({ kind }) => kind}
      columns={[
        {
          title: 'Entry',
          cell: ({ title, kind }: Row) => (kind === 'balance' ? <strong>{title}</strong> : title),
        },
        ...columns.map(({ key, title }) => ({
          title,
          isNumber: true,
          cell: ({ amounts, kind }: Row) => <Cell amount={amounts[key]} kind={kind} unit={unit} />,
        })),
      ]}
    />
  );
}

type CellProps = { readonly amount: Amount | undefined; readonly kind: Row['kind']; readonly unit: Unit };

function Cell({ amount = {}, kind, unit }: CellProps) {
  const price = usePrice(usePaymaster());
  const { wei, usdMicros, unpriced = 0, note } = amount;
  if (wei === undefined && usdMicros === undefined) return <span className="muted">–</span>;
  if (wei === 0n && kind !== 'balance' && note === undefined) return <span className="muted">–</span>;
  const coin = wei === undefined ? undefined : <Coin wei={String(wei)} />;
  const usd =
    kind === 'balance' && price !== undefined
      ? // Balances have no price of their own: they are worth what the coin is worth now.
        `≈ ${usdText(usdOfWei(String(wei), price))}`
      : usdMicros === undefined
        ? undefined
        : `${usdText(usdOfMicros(usdMicros))}${unpriced === 0 ? '' : ` + ${unpriced} without a price`}`;
  const [first, second] = unit === 'usd' ? [usd ?? coin, usd === undefined ? undefined : coin] : [coin ?? usd, usd];
  return (
    <div>
      {kind === 'balance' ? <strong>{first}</strong> : first}
      {second === undefined || second === first ? null : <span className="under">{second}</span>}
      {note === undefined ? null : <span className="under">{note}</span>}
    </div>
  );
}
