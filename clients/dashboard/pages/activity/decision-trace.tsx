import type { TraceStepItem } from '@tollfree/contract/decision-fields';
import { Badge } from '../../parts/badge.tsx';
import { ruleNames } from './rule-names.ts';

/** The rules that decided, with what each checked, what was allowed and what was used. */
export function DecisionTrace({ trace }: { readonly trace: readonly TraceStepItem[] }) {
  return (
    <ol className="list trace">
      {trace.map(({ rule, verdict, checked, limit, used, remedy }) => (
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
