import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { contractsQuery, policyQuery } from '../../api/of-paymaster.ts';
import { Problem } from '../../parts/problem.tsx';
import { listSteps } from './list-steps.ts';

type ChecklistProps = {
  readonly paymaster: PaymasterItem;
  readonly tank: GasTankItem;
  readonly hasSigned: boolean;
  readonly isOpen: boolean;
};

/** The steps to the first sponsored operation, with progress read from the service. A slim bar that unfolds. */
export function Checklist({ paymaster, tank, hasSigned, isOpen }: ChecklistProps) {
  const [contracts, policy] = useQueries({ queries: [contractsQuery(paymaster), policyQuery(paymaster)] });
  const error = contracts.error ?? policy.error;
  if (error) return <Problem error={error} />;
  if (!contracts.data || !policy.data) return null;
  const steps = listSteps({ contracts: contracts.data, policy: policy.data, tank, hasSigned });
  const next = steps.find(({ isDone }) => !isDone);
  if (next === undefined) return null;
  return (
    <details className="fold" open={isOpen}>
      <summary>
        <h3>Set up {paymaster.name}</h3>
        <span className="muted">
          {steps.filter(({ isDone }) => isDone).length} of {steps.length} done. Next: {next.title.toLowerCase()}
        </span>
      </summary>
      <div className="stack">
        <ol className="list steps">
          {steps.map((step, index) => (
            <li key={step.title} aria-current={step === next ? 'step' : undefined}>
              <span className={step.isDone ? 'step-mark done' : 'step-mark'} aria-hidden="true">
                {step.isDone ? '✓' : index + 1}
              </span>
              <div>
                <h3>
                  {step.title}
                  <span className="only-read">{step.isDone ? ' (done)' : ' (to do)'}</span>
                </h3>
                <p className="muted">{step.text}</p>
              </div>
              {step.to === undefined || step.isDone ? null : (
                <Link
                  to={step.to}
                  params={{ paymasterId: paymaster.paymasterId }}
                  className={step === next ? 'button primary' : 'button'}
                >
                  {step.action}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}
