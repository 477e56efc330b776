import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress } from 'viem';
import type { AskedCall } from '../call-rules/call-rules.ts';
import type { CalledLimits } from '../called-limits/count-calls.ts';
import type { Ruling } from './ruling.ts';

/**
 * If a limit no longer matches its contract, the calls it counts are unknown. Then no call of the contract, and no call with
 * its address in the data, is sponsored. No ruling if all limits match.
 */
export function ruleOnCalledLimits(limits: CalledLimits, calls: readonly AskedCall[]): readonly Ruling[] {
  for (const { contract, broken } of limits.values()) {
    if (broken === undefined) continue;
    const call = calls.find(({ target, content }) => {
      return target.toLowerCase() === contract || content?.data.includes(contract.slice(2)) === true;
    });
    if (call === undefined) continue;
    const target = getAddress(contract);
    return [
      {
        rule: 'limited-calls',
        finding: ['limited-calls', getAddress(call.target)],
        refusal: {
          reason: 'LIMIT_EXCEEDED',
          limitKind: 'POLICY_LIMIT',
          message: `A limit of this paymaster’s policy about ${target} cannot be applied, so none of its calls is sponsored: ${broken}.`,
          details: { ...omitAbsent({ target, selector: call.selector }), frees: 'Fix the limit or the contract.' },
        },
      },
    ];
  }
  return [];
}
