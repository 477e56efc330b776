import { useQuery } from '@tanstack/react-query';
import { operationStatusTexts } from '@tollfree/contract/operation-status';
import type { OperationLifeItem } from '@tollfree/contract/user-operation';
import { live } from '../../api/live.ts';
import { operationQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { locale } from '../../parts/text/moment-text.ts';
import { Value } from '../../parts/value.tsx';
import { StatusBadge } from './operation-cells.tsx';

/** The life of an operation from its signature: each step with its time, meaning, and what to do. */
export function OperationLife({ userOperationHash }: { readonly userOperationHash: string }) {
  const paymaster = usePaymaster();
  const pace = live();
  const query = useQuery({
    ...operationQuery(paymaster, userOperationHash),
    refetchInterval: (each) => (each.state.data === undefined || isOpen(each.state.data) ? pace(each) : false),
  });
  return (
    <Card title="Timeline">
      <Loaded query={query}>
        {(operation) => (
          <div className="stack">
            <Timeline operation={operation} />
            <Facts
              facts={[
                operation.revertReason === undefined
                  ? undefined
                  : ['Revert reason', <code key="revert">{operation.revertReason}</code>],
                operation.blockNumber === undefined ? undefined : ['Block', operation.blockNumber],
                operation.replacedBy === undefined
                  ? undefined
                  : ['Replaced by', <Value key="other" text={operation.replacedBy} what="other operation hash" />],
                ['Operation hash', <Value key="hash" text={userOperationHash} what="user operation hash" />],
              ]}
            />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function isOpen({ status }: OperationLifeItem): boolean {
  return status === 'signed' || status === 'sent';
}

function Timeline({ operation }: { readonly operation: OperationLifeItem }) {
  const { status, steps, validUntil } = operation;
  const { meaning, advice } = operationStatusTexts[status];
  return (
    <>
      <ol className="timeline" aria-label="Steps">
        {steps.map((step, index) => (
          <li key={step.status}>
            <StatusBadge status={step.status} />
            <span className="under">
              <Moment at={step.at} hasSeconds />
            </span>
            {index === 0 ? null : <span className="under">{gapText(step.at - (steps[index - 1]?.at ?? step.at))}</span>}
          </li>
        ))}
        {isOpen(operation) && validUntil !== undefined ? (
          <li className="muted">
            <span>Signature ends</span>
            <span className="under">
              <Moment at={validUntil} />
            </span>
          </li>
        ) : null}
      </ol>
      <p>{meaning}</p>
      {advice === undefined ? null : <p className="muted">{advice}</p>}
    </>
  );
}

/** The seconds between two steps. */
function gapText(seconds: number): string {
  return seconds === 0 ? 'in the same second' : `${seconds.toLocaleString(locale)} s later`;
}
