import { Link } from '@tanstack/react-router';
import type { OverviewDecision } from '@tollfree/contract/overview';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { lazy, Suspense } from 'react';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/loaded.tsx';
import { Age } from '../../parts/moment.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { lastPrice } from '../../parts/usd.tsx';
import { Short, shortHex } from '../../parts/value.tsx';
import { foldOperations } from '../activity/fold-operations.ts';
import { OperationCost, StatusBadge } from '../activity/operation-cells.tsx';
import type { PaymasterOverview } from './use-overview.ts';

const most = 10;

// Reading ABIs takes a library that the first screen does without.
const CallName = lazy(async () => ({ default: (await import('./call-name.tsx')).CallName }));

type Row = { readonly paymaster: PaymasterItem; readonly decision: OverviewDecision };

/** The newest operations of all paymasters. */
export function RecentActivity({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const operations = rows
    .flatMap(({ paymaster, recent, days }) =>
      foldOperations(recent).map((operation) => ({ paymaster, operation, usual: lastPrice(days) })),
    )
    .sort((one, other) => other.operation.decision.decidedAt - one.operation.decision.decidedAt)
    .slice(0, most);
  return (
    <Card title="Recent activity">
      {operations.length === 0 ? (
        <Empty title="No requests yet.">Put the RPC URL of a paymaster into your application.</Empty>
      ) : (
        <table className="table whole-rows">
          <caption className="only-read">Recent activity</caption>
          <thead className="only-read">
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Call</th>
              <th scope="col">Cost</th>
              <th scope="col">Age</th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ paymaster, usual, operation: { decision, status } }) => (
              <tr key={decision.decisionId}>
                <td data-title="Status">
                  <StatusBadge status={status} />
                </td>
                <td data-title="Call">
                  <Link
                    to="/paymasters/$paymasterId/activity/$decisionId"
                    params={{ paymasterId: paymaster.paymasterId, decisionId: decision.decisionId }}
                    className="row-link"
                  >
                    <CallText paymaster={paymaster} decision={decision} />
                  </Link>
                  <span className="under">
                    {paymaster.name} · {decision.reason === undefined ? null : reasonText(decision.reason)}
                    {decision.reason === undefined && decision.sender !== undefined ? (
                      <Short hex={decision.sender} />
                    ) : null}
                  </span>
                </td>
                <td data-title="Cost" className="number">
                  <OperationCost
                    settlement={decision.settlement}
                    price={decision.usdMicrosPerCoin ?? usual}
                    chainId={paymaster.chainId}
                  />
                </td>
                <td data-title="Age" className="number muted">
                  <Age at={decision.decidedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** Contract and method of an operation's first call. */
function CallText({ paymaster, decision: { firstCall, mode } }: Row) {
  if (firstCall === undefined) return mode === 'ERC20' ? 'Payment in a token' : 'Account deployment';
  return (
    <Suspense fallback={shortHex(firstCall.target)}>
      <CallName paymaster={paymaster} call={firstCall} />
    </Suspense>
  );
}
