import { Link } from '@tanstack/react-router';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/loaded.tsx';
import { Age } from '../../parts/moment.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { lastPrice } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';
import { foldOperations } from '../activity/fold-operations.ts';
import { OperationCost, StatusBadge } from '../activity/operation-cells.tsx';
import type { PaymasterOverview } from './use-overview.ts';

const most = 10;

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
              <th scope="col">Paymaster</th>
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
                <td data-title="Paymaster">
                  <Link
                    to="/paymasters/$paymasterId/activity/$decisionId"
                    params={{ paymasterId: paymaster.paymasterId, decisionId: decision.decisionId }}
                    className="row-link"
                  >
                    {paymaster.name}
                  </Link>
                  <span className="under">
                    {decision.reason === undefined ? null : reasonText(decision.reason)}
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
