import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { useContractNames } from '../../abi/use-contract-names.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { RefusalDocLink } from '../../parts/doc-link.tsx';
import { Notice } from '../../parts/problem.tsx';
import { readableAmounts } from '../../parts/text/readable-amounts.ts';
import { Fix } from './fix.tsx';

type RefusalProps = {
  readonly decision: DecisionItem;
  /** A sentence before the reason. */
  readonly lead?: string;
};

/** Why a request was or would be refused, and what to do about it. */
export function Refusal({ decision, lead = '' }: RefusalProps) {
  const { chainId } = usePaymaster();
  const named = useContractNames();
  const { rule = '', remedy = '' } = decision.trace.find(({ verdict }) => verdict === 'refused') ?? {};
  return (
    <>
      <Notice kind="bad">
        <p>
          <strong>
            {lead} {readableAmounts(named(decision.message ?? ''), rule, chainId)}
          </strong>
        </p>
        {remedy === '' ? null : <p>{readableAmounts(named(remedy), rule, chainId)}</p>}
      </Notice>
      <Fix decision={decision} />
      {decision.reason === undefined ? null : (
        <p>
          <RefusalDocLink reason={decision.reason} />
        </p>
      )}
    </>
  );
}
