import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { useCallNames } from '../../abi/use-call-names.ts';
import { Short } from '../../parts/short.tsx';

/** The first call of an operation, by the names of its method and contract, and how many others it makes. */
export function CallText({ decision: { facts, mode } }: { readonly decision: DecisionItem }) {
  const nameOf = useCallNames();
  const [first, ...others] = facts?.calls ?? [];
  if (first === undefined) {
    if (facts?.deploysOnly === true) return 'Account deployment';
    return mode === 'ERC20' ? 'Any calls, paid in a token' : 'Unreadable';
  }
  const { contract, method } = nameOf(first);
  return (
    <>
      {method ?? first.selector}
      {others.length === 0 ? null : <span className="muted"> +{others.length}</span>}
      <span className="under">{contract ?? <Short hex={first.target} />}</span>
    </>
  );
}
