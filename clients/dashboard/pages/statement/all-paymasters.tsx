import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterStatementItem } from '@tollfree/contract/gas-tank-statement';
import { accountStatementQuery, paymastersQuery } from '../../api/of-account.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded, LoadOlder } from '../../parts/loaded.tsx';
import { chainLabel, type Network, networkOf, networkTitles } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { monthName } from './month-picker.tsx';
import { paidOf, usdOfMicros } from './statement-matrix.ts';

type AllPaymastersProps = { readonly month: string; readonly network: Network };

/**
 * The month of the account's paymasters on main or on test networks, whose coins are worthless and never added to the others. Those
 * that cost the most come first.
 */
export function AllPaymasters({ month, network }: AllPaymastersProps) {
  const query = useInfiniteQuery(accountStatementQuery(month));
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const nameOf = (id: string) => paymasters.find(({ paymasterId }) => paymasterId === id)?.name ?? id;
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages
          .flatMap(({ statements }) => statements)
          .filter(({ chainId }) => networkOf(chainId) === network)
          .map((statement) => ({ statement, paid: paidOf(statement) }))
          .toSorted((one, next) => (one.paid.you < next.paid.you ? 1 : -1));
        const total = rows.reduce((sum, { paid }) => sum + paid.you, 0n);
        const most = rows[0]?.paid.you ?? 0n;
        const users = rows.reduce((sum, { paid }) => sum + paid.users, 0n);
        const operations = rows.reduce((sum, { paid }) => sum + paid.operations, 0);
        return (
          <>
            <section aria-label="What you paid" className="card paid">
              <div>
                <p className="hero">{usdText(usdOfMicros(total))}</p>
                <p>
                  <strong>
                    paid by you for {counted(operations, 'operation')} of {counted(rows.length, 'paymaster')}
                  </strong>
                  {users === 0n ? '' : `, and ${usdText(usdOfMicros(users))} by users in tokens`}
                </p>
              </div>
            </section>
            <Card title={`By paymaster, ${monthName(month)}`} lead={networkTitles[network]}>
              <DataTable
                caption="Statements of all paymasters"
                rows={rows}
                keyOf={({ statement }) => statement.paymasterId}
                columns={[
                  {
                    title: 'Paymaster',
                    cell: ({ statement: { paymasterId, chainId } }) => (
                      <div>
                        <Link to="/paymasters/$paymasterId/statement" params={{ paymasterId }} search={{ month }}>
                          {nameOf(paymasterId)}
                        </Link>
                        <span className="under">{chainLabel(chainId)}</span>
                      </div>
                    ),
                  },
                  { title: 'You paid', isNumber: true, cell: ({ paid }) => <YouPaid paid={paid} most={most} /> },
                  {
                    title: 'Users paid',
                    isNumber: true,
                    cell: ({ paid }) =>
                      paid.users === 0n ? <span className="muted">–</span> : usdText(usdOfMicros(paid.users)),
                  },
                  { title: 'Operations', isNumber: true, cell: ({ paid }) => paid.operations.toLocaleString(locale) },
                  {
                    title: 'Closing balance',
                    isNumber: true,
                    cell: ({ statement }) => <Closing statement={statement} />,
                  },
                ]}
              />
              <LoadOlder query={query} />
            </Card>
          </>
        );
      }}
    </Loaded>
  );
}

function YouPaid({
  paid: { you, unpriced },
  most,
}: {
  readonly paid: ReturnType<typeof paidOf>;
  readonly most: bigint;
}) {
  return (
    <div className="bar-cell">
      <span>
        {usdText(usdOfMicros(you))}
        {unpriced === 0 ? '' : ` + ${unpriced} without a price`}
      </span>
      {most <= 0n ? null : (
        <span className="bar-track" aria-hidden="true">
          <span className="bar-fill" style={{ width: `${Number((you * 1_000n) / most) / 10}%` }} />
        </span>
      )}
    </div>
  );
}

function Closing({ statement: { tanks, chainId } }: { readonly statement: PaymasterStatementItem }) {
  if (tanks.length === 0) return <span className="muted">No tank</span>;
  return <Coin wei={String(tanks.reduce((sum, { closing }) => sum + BigInt(closing), 0n))} chainId={chainId} />;
}
