import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { operationsQuery } from '../../api/of-paymaster.ts';
import { Age } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { statusOf } from './fold-operations.ts';
import { StatusBadge } from './status-badge.tsx';

/** All requests for the same operation: estimates, quotes, refusals and signatures. Nothing where there is one alone. */
export function SiblingRequests({ decision }: { readonly decision: DecisionItem }) {
  const { sender = '', nonce, decisionId } = decision;
  const paymaster = usePaymaster();
  const { data } = useInfiniteQuery({ ...operationsQuery(paymaster, { sender }, undefined), enabled: sender !== '' });
  const requests = (data?.pages ?? []).flatMap((page) => page.decisions).filter((each) => each.nonce === nonce);
  if (nonce === undefined || requests.length < 2) return null;
  const { paymasterId } = paymaster;
  return (
    <Card title="Requests for this operation">
      <ul className="list tight">
        {requests.map((each) => (
          <li key={each.decisionId} className="row">
            <span>
              <StatusBadge status={statusOf(each)} />{' '}
              {each.decisionId === decisionId ? (
                <span className="muted">This request</span>
              ) : (
                <Link
                  to="/paymasters/$paymasterId/activity/$decisionId"
                  params={{ paymasterId, decisionId: each.decisionId }}
                >
                  Show
                </Link>
              )}
            </span>
            <span className="muted">
              <Age at={each.decidedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
