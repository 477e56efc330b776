import { usePaymaster } from '../../api/use-paymaster.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin, usePrice } from '../../parts/usd.tsx';
import { type Amount, type Matrix, type Row, usdOfMicros } from './statement-matrix.ts';

/** A paymaster's month, a column for each payer: the coin, which adds up, and USD at the prices of then below it. */
export function MatrixTable({
  matrix: { columns, rows },
  caption,
}: {
  readonly matrix: Matrix;
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
          cell: ({ amounts, kind }: Row) => <Cell amount={amounts[key]} kind={kind} />,
        })),
      ]}
    />
  );
}

function Cell({ amount = {}, kind }: { readonly amount: Amount | undefined; readonly kind: Row['kind'] }) {
  const price = usePrice(usePaymaster());
  const { wei, usdMicros, unpriced = 0, note } = amount;
  if (wei === undefined && usdMicros === undefined) return <span className="muted">–</span>;
  if (wei === 0n && kind !== 'balance' && note === undefined) return <span className="muted">–</span>;
  const usd = usdMicros === undefined ? undefined : usdText(usdOfMicros(usdMicros));
  // Balances have no price of their own: they are worth what the coin is worth now.
  const worth = kind === 'balance' && price !== undefined ? `≈ ${usdText(usdOfWei(String(wei), price))}` : undefined;
  const coin = wei === undefined ? undefined : <Coin wei={String(wei)} />;
  return (
    <>
      {kind === 'balance' ? <strong>{coin}</strong> : (coin ?? usd)}
      {worth === undefined ? null : <span className="under">{worth}</span>}
      {coin === undefined || usd === undefined ? null : (
        <span className="under">
          {usd}
          {unpriced === 0 ? '' : ` + ${unpriced} without a price`}
        </span>
      )}
      {note === undefined ? null : <span className="under">{note}</span>}
    </>
  );
}
