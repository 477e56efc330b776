import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { ReactNode } from 'react';
import { useCallNames } from '../../abi/use-call-names.ts';
import { useContractNames } from '../../abi/use-contract-names.ts';
import { live } from '../../api/live.ts';
import { newestDecisionQuery } from '../../api/newest-decision.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Icon } from '../../parts/icon.tsx';
import { Fix } from '../activity/fix.tsx';
import { statusOf } from '../activity/fold-operations.ts';

/** How often the first request is looked for. An empty answer is small. */
const soonMs = 2_000;

/** Waits for the first request, and says what became of the newest one. */
export function WaitCard() {
  const paymaster = usePaymaster();
  const pace = live();
  const query = useQuery({
    ...newestDecisionQuery(paymaster),
    refetchInterval: (each) => (each.state.data?.decisions.length === 0 ? soonMs : pace(each)),
  });
  const newest = query.data?.decisions[0];
  if (newest === undefined) {
    return (
      <Wait kind="" title="Waiting for your first request …">
        Run the program below: this turns green when its operation has landed. You can leave the page, nothing is lost.
      </Wait>
    );
  }
  return <Newest decision={newest} />;
}

function Newest({ decision }: { readonly decision: DecisionItem }) {
  const nameOf = useCallNames();
  const { paymasterId } = usePaymaster();
  const { decisionId, facts, message } = decision;
  const [first] = facts?.calls ?? [];
  const named = useContractNames();
  const { contract, method } = first === undefined ? {} : nameOf(first);
  const called = [contract, method ?? first?.selector].filter((part) => part !== undefined).join(' · ');
  const open = (
    <Link to="/paymasters/$paymasterId/activity/$decisionId" params={{ paymasterId, decisionId }} className="button">
      Show it
    </Link>
  );
  switch (statusOf(decision)) {
    case 'included':
      return (
        <Wait kind="good" title="It works. Your newest operation has landed." tools={open}>
          {called}
        </Wait>
      );
    case 'failed':
      return (
        <Wait kind="bad" title="Your newest operation has landed, and its own call failed." tools={open}>
          {called}
        </Wait>
      );
    case 'refused':
      return (
        <Wait
          kind="bad"
          title="Your newest request arrived, and was refused."
          tools={
            <>
              <Fix decision={decision} />
              {open}
            </>
          }
        >
          {message === undefined ? called : named(message)}
        </Wait>
      );
    default:
      return (
        <Wait kind="" title="Your newest request arrived. Waiting until its operation lands …" tools={open}>
          {called}
        </Wait>
      );
  }
}

type WaitProps = {
  readonly kind: '' | 'good' | 'bad';
  readonly title: string;
  readonly children: ReactNode;
  readonly tools?: ReactNode;
};

function Wait({ kind, title, children, tools }: WaitProps) {
  return (
    <section className={`wait ${kind}`} aria-live="polite" aria-label="Your first request">
      <span className="wait-mark">
        <Icon name={kind === 'good' ? 'check' : kind === 'bad' ? 'close' : 'connect'} />
      </span>
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p className="small">{children}</p>
      </div>
      {tools === undefined ? null : <div className="actions">{tools}</div>}
    </section>
  );
}
