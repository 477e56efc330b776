import type { TraceStepItem } from '@tollfree/contract/decision-fields';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { withCoinName } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { readableAmounts } from '../../parts/text/readable-amounts.ts';
import { ruleName } from '../../parts/text/rule-name.ts';

/** The deciding rules: refusals first, passed rules collapsed. */
export function DecisionTrace({ trace }: { readonly trace: readonly TraceStepItem[] }) {
  const passed = trace.filter(({ verdict }) => verdict === 'passed');
  const refused = trace.filter(({ verdict }) => verdict !== 'passed');
  return (
    <>
      {refused.length === 0 ? null : <Steps steps={refused} />}
      {passed.length === 0 ? null : (
        <details>
          <summary>{counted(passed.length, 'check')} passed</summary>
          <div className="details-body">
            <Steps steps={passed} />
          </div>
        </details>
      )}
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly TraceStepItem[] }) {
  const { chainId } = usePaymaster();
  return (
    <ol className="list trace">
      {steps.map(({ rule, verdict, checked, limit, used }) => (
        <li key={`${rule} ${checked}`}>
          <span>
            <Badge kind={verdict === 'passed' ? 'good' : 'bad'}>{verdict === 'passed' ? 'Passed' : 'Refused'}</Badge>
          </span>
          <div>
            <h3>{withCoinName(ruleName(rule), chainId)}</h3>
            <p>{readableAmounts(checked, rule, chainId)}</p>
            {limit === undefined ? null : (
              <p className="small muted">Allowed: {readableAmounts(limit, rule, chainId)}</p>
            )}
            {used === undefined ? null : (
              <p className="small muted">Used so far: {readableAmounts(used, rule, chainId)}</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
