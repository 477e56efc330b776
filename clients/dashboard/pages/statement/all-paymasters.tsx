import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterStatementItem } from '@tollfree/contract/gas-tank-statement';
import { accountStatementQuery, paymastersQuery } from '../../api/of-account.ts';
import { Card } from '../../parts/card.tsx';
import { CostBar } from '../../parts/cost-bar.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded, LoadMore } from '../../parts/loaded.tsx';
import { chainLabel, type Network, networkOf, networkTitles } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { inCents } from './in-cents.ts';
import { monthName } from './month-picker.tsx';
import { paidOf, usdOfMicros } from './statement-matrix.ts';

const showMore = 'Show more paymasters';

type AllPaymastersProps = { readonly month: string; readonly network: Network };

/** The month of the account's paymasters on main or on test networks, in one number and by paymaster. */
export function AllPaymasters({ month, network }: AllPaymastersProps) {
  const query = useInfiniteQuery(accountStatementQuery(month));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const lines = linesOf(pages, network);
        const users = lines.reduce((sum, { paid }) => sum + paid.users, 0n);
        const operations = lines.reduce((sum, { paid }) => sum + paid.operations, 0);
        const isPart = query.hasNextPage;
        return (
          <>
            <section aria-label="What you paid" className="card paid">
              <div>
                {isPart ? null : <p className="hero">{totalText(lines)}</p>}
                <p>
                  <strong>
                    {isPart ? `${totalText(lines)} ` : ''}paid by you for {counted(operations, 'operation')} of{' '}
                    {isPart ? 'the ' : ''}
                    {counted(lines.length, 'paymaster')}
                    {isPart ? ' shown' : ''}
                  </strong>
                  {users === 0n ? '' : `, and ${usdText(usdOfMicros(users))} by users in tokens`}
                </p>
                {isPart ? (
                  <p className="muted">There are more. The sum of all stands here when all are shown.</p>
                ) : null}
              </div>
            </section>
            <Card title={`By paymaster, ${monthName(month)}`} lead={networkTitles[network]}>
              <PaymasterTable lines={lines} month={month} />
              <LoadMore query={query} label={showMore} />
            </Card>
          </>
        );
      }}
    </Loaded>
  );
}

/** The same month of the account's other paymasters, below the statement of one. Nothing if there are no others. */
export function OtherPaymasters({ month, network }: AllPaymastersProps) {
  const query = useInfiniteQuery(accountStatementQuery(month));
  const lines = linesOf(query.data?.pages ?? [], network);
  if (lines.length < 2 && !query.hasNextPage) return null;
  return (
    <div className="not-printed">
      <Card
        title="All paymasters"
        lead={networkTitles[network]}
        actions={query.hasNextPage ? null : <strong>{totalText(lines)}</strong>}
      >
        <PaymasterTable lines={lines} month={month} />
        <LoadMore query={query} label={showMore} />
      </Card>
    </div>
  );
}

type Line = { readonly statement: PaymasterStatementItem; readonly paid: ReturnType<typeof paidOf> };
type Page = { readonly statements: readonly PaymasterStatementItem[] };

/** The paymasters of a kind of network, whose coins are never added to those of the other. The highest cost comes first. */
function linesOf(pages: readonly Page[], network: Network): readonly Line[] {
  return pages
    .flatMap(({ statements }) => statements)
    .filter(({ chainId }) => networkOf(chainId) === network)
    .map((statement) => ({ statement, paid: paidOf(inCents(statement)) }))
    .toSorted((one, next) => (one.paid.you < next.paid.you ? 1 : -1));
}

function totalText(lines: readonly Line[]): string {
  return usdText(usdOfMicros(lines.reduce((sum, { paid }) => sum + paid.you, 0n)));
}

const usdNumber = (micros: bigint): number => Number(usdOfMicros(micros));

function PaymasterTable({ lines, month }: { readonly lines: readonly Line[]; readonly month: string }) {
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const nameOf = (id: string) => paymasters.find(({ paymasterId }) => paymasterId === id)?.name ?? id;
  const highest = Math.max(0, ...lines.map(({ paid }) => usdNumber(paid.you + paid.users)));
  return (
    <DataTable
      caption="Statements by paymaster"
      layout="bars"
      rows={lines}
      keyOf={({ statement }) => statement.paymasterId}
      columns={[
        {
          title: 'Paymaster',
          share: 26,
          cell: ({ statement: { paymasterId, chainId } }) => (
            <div>
              <Link to="/paymasters/$paymasterId/statement" params={{ paymasterId }} search={{ month }}>
                {nameOf(paymasterId)}
              </Link>
              <span className="under">{chainLabel(chainId)}</span>
            </div>
          ),
        },
        {
          title: 'You paid',
          share: 38,
          cell: ({ paid: { you, users, unpriced } }) => (
            <CostBar cost={{ own: usdNumber(you), users: usdNumber(users) }} highest={highest} unpriced={unpriced} />
          ),
        },
        {
          title: 'Operations',
          share: 16,
          isNumber: true,
          cell: ({ paid }) => paid.operations.toLocaleString(locale),
        },
        {
          title: 'Closing balance',
          share: 20,
          isNumber: true,
          cell: ({ statement }) => <Closing statement={statement} />,
        },
      ]}
    />
  );
}

function Closing({ statement: { tanks, chainId } }: { readonly statement: PaymasterStatementItem }) {
  if (tanks.length === 0) return <span className="muted">No tank</span>;
  return <Coin wei={String(tanks.reduce((sum, { closing }) => sum + BigInt(closing), 0n))} chainId={chainId} />;
}
