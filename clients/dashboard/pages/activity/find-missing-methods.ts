import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { isWhitelisted } from '../../abi/is-whitelisted.ts';
import type { Method } from '../../abi/method-of.ts';
import { readAbi } from '../../abi/read-abi.ts';

export type MissingMethod = { readonly contract: SmartContractItem; readonly method: Method };

/**
 * The methods that a decision's calls use, of registered contracts that do not whitelist them: that which was refused, and
 * those that would be next.
 */
export function findMissingMethods(
  decision: DecisionItem,
  contracts: readonly SmartContractItem[],
): readonly MissingMethod[] {
  const calls = decision.facts?.calls ?? [];
  return contracts.flatMap((contract) => {
    const read = readAbi(contract.abi);
    const selectors = new Set(calls.flatMap((call) => (isSame(call.target, contract.address) ? call.selector : [])));
    return (read.ok ? read.methods : [])
      .filter((method) => selectors.has(method.selector) && method.whyNot === undefined)
      .filter((method) => !isWhitelisted(contract.whitelistedMethods, method))
      .map((method) => ({ contract, method }));
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
