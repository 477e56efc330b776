import type { TraceStepItem } from '@tollfree/contract/decision-fields';
import { Badge } from '../../parts/badge.tsx';
import { ruleNames } from './rule-names.ts';

/** The rules that decided: those that refused, and those that passed folded away. */
export function DecisionTrace({ trace }: { readonly trace: readonly TraceStepItem[] }) {
  const passed = trace.filter(({ verdict }) => verdict === 'passed');
  const refused = trace.filter(({ verdict }) => verdict !== 'passed');
  return (
    <>
      {refused.length === 0 ? null : <Steps steps={refused} />}
      {passed.length === 0 ? null : (
        <details>
          <summary>
            {passed.length} {passed.length === 1 ? 'check' : 'checks'} passed
          </summary>
          <div className="details-body">
            <Steps steps={passed} />
          </div>
        </details>
      )}
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly TraceStepItem[] }) {
  return (
    <ol className="list trace">
      {steps.map(({ rule, verdict, checked, limit, used, remedy }) => (
        <li key={`${rule} ${checked}`}>
          <span>
            <Badge kind={verdict === 'passed' ? 'good' : 'bad'}>{verdict === 'passed' ? 'Passed' : 'Refused'}</Badge>
          </span>
          <div>
            <h3>{ruleNames[rule] ?? rule}</h3>
            <p>{checked}</p>
            {limit === undefined ? null : <p className="small muted">Allowed: {limit}</p>}
            {used === undefined ? null : <p className="small muted">Requested or used: {used}</p>}
            {remedy === undefined ? null : (
              <p className="small">
                <strong>Fix:</strong> {remedy}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
