import { Link } from '@tanstack/react-router';
import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { useState } from 'react';
import { CallName } from '../../abi/call-name.tsx';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { readableAmounts } from '../../parts/text/readable-amounts.ts';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';

type ChangedDecision = PolicyPreviewItem['cutOff'][number];

/** Rows at first, and at most. */
const [fewRows, mostRows] = [3, 20] as const;

type ChangedDecisionsProps = { readonly title: string; readonly rows: readonly ChangedDecision[] };

/** Operations that a proposed policy decides differently: whose, why, what each could have cost, and what it did. */
export function ChangedDecisions({ title, rows }: ChangedDecisionsProps) {
  const paymaster = usePaymaster();
  const { chainId, paymasterId } = paymaster;
  const [isLong, setLong] = useState(false);
  if (rows.length === 0) return null;
  return (
    <>
      <h3>
        {title}
        {rows.length > 1 ? ', the most expensive first' : null}
      </h3>
      <DataTable
        caption={title}
        rows={rows.toSorted(byWorstCase).slice(0, isLong ? mostRows : fewRows)}
        keyOf={({ decisionId }) => decisionId}
        columns={[
          {
            title: 'Operation',
            share: 24,
            cell: ({ decidedAt, decisionId, sender, firstCall }) => (
              <div>
                <Link to="/paymasters/$paymasterId/activity/$decisionId" params={{ paymasterId, decisionId }}>
                  <Moment at={decidedAt} />
                </Link>
                {firstCall === undefined ? null : (
                  <span className="under">
                    <CallName paymaster={paymaster} call={firstCall} />
                  </span>
                )}
                <span className="under">
                  <Short hex={sender} />
                </span>
              </div>
            ),
          },
          { title: 'Why', share: 44, cell: ({ message }) => readableAmounts(message, '', chainId) },
          {
            title: 'Worst case',
            isNumber: true,
            share: 16,
            cell: ({ worstCase, usdMicrosPerCoin }) => <Amount wei={worstCase} price={usdMicrosPerCoin} />,
          },
          {
            title: 'It cost',
            isNumber: true,
            share: 16,
            cell: ({ charge, usdMicrosPerCoin }) => <Amount wei={charge} price={usdMicrosPerCoin} />,
          },
        ]}
      />
      {rows.length > fewRows && !isLong ? (
        <div>
          <Button kind="quiet" onPress={() => setLong(true)}>
            Show {rows.length > mostRows ? `the first ${mostRows}` : `all ${rows.length}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function byWorstCase({ worstCase: one = '0' }: ChangedDecision, { worstCase: other = '0' }: ChangedDecision): number {
  const difference = BigInt(other) - BigInt(one);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

/** Wei in USD at a price in millionths of a USD per coin, or in coin if there is none; a dash for nothing. */
function Amount({ wei, price }: { readonly wei: string | undefined; readonly price: string | undefined }) {
  if (wei === undefined) return <span className="muted">–</span>;
  if (price === undefined) return <Coin wei={wei} />;
  return (
    <span className="coin" title={`${wei} wei`}>
      {usdText(usdOfWei(wei, price))}
    </span>
  );
}
