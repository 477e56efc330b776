import { maxSelectors } from '@tollfree/contract/limits';
import type { DecidedCall } from '../../domain/decision.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { Ruling } from './ruling.ts';
import type { SponsoredContracts } from './sponsored-contracts.ts';

const rule = 'policy-calls' as const;

/** What an operation calls; `deploysOnly` when it creates its account and calls nothing. */
export type AskedCalls = { readonly calls: readonly DecidedCall[]; readonly deploysOnly: boolean };

/**
 * Every call goes to a registered contract and a whitelisted method, unless the policy sponsors all of them; one that
 * does not refuses the whole operation. A paymaster that has neither sponsors nothing. Clients fall back to self-pay on
 * the beginnings of two of the texts.
 */
export function ruleOnCalls(
  { contracts, policy }: { readonly contracts: SponsoredContracts; readonly policy: Policy },
  { calls, deploysOnly }: AskedCalls,
): Ruling {
  const { sponsorAllCalls, allowAccountDeployment } = policy;
  const seen = { rule, checked: deploysOnly ? 'an account deployment without calls' : countText(calls.length, 'call') };
  if (deploysOnly && allowAccountDeployment) return { ...seen, limit: 'allowAccountDeployment is set' };
  const limited = {
    ...seen,
    limit: sponsorAllCalls ? 'sponsorAllCalls is set' : countText(contracts.size, 'registered contract'),
  };
  if (contracts.size === 0 && !sponsorAllCalls) return { ...limited, refusal: noPolicies(calls[0]) };
  if (deploysOnly) return { ...limited, refusal: deploymentNotAllowed };
  if (sponsorAllCalls) return limited;
  for (const call of calls) {
    const refusal = refuseCall(contracts, call);
    if (refusal !== undefined) return { ...limited, refusal };
  }
  return limited;
}

function noPolicies(first: DecidedCall | undefined): Refusal {
  return {
    reason: 'NO_POLICIES',
    message:
      'No policies were set for this paymaster. Register the smart contracts it may sponsor to allow gas sponsorship.',
    ...(first === undefined ? {} : { details: omitAbsent({ target: first.target, selector: first.selector }) }),
  };
}

const deploymentNotAllowed: Refusal = {
  reason: 'METHOD_NOT_WHITELISTED',
  message:
    'The operation only deploys its account, which this paymaster sponsors once allowAccountDeployment of its policy is set.',
  details: { policy: 'allowAccountDeployment' },
};

function refuseCall(contracts: SponsoredContracts, { target, selector }: DecidedCall): Refusal | undefined {
  const contract = contracts.get(target.toLowerCase());
  if (contract === undefined) {
    return {
      reason: 'CONTRACT_NOT_REGISTERED',
      message: `Smart contract data not found: ${target} is not registered with this paymaster.`,
      details: omitAbsent({ target, selector }),
    };
  }
  if (contract.isAboveBound === true) {
    return {
      reason: 'METHOD_NOT_WHITELISTED',
      message: `The contracts of this paymaster have more than ${maxSelectors} whitelisted methods, and those of ${target} and of contracts registered after it are left out. Whitelist fewer methods of them.`,
      details: omitAbsent({ target, selector }),
    };
  }
  if (selector !== undefined && contract.selectors.has(selector)) return undefined;
  const what = selector === undefined ? 'A plain transfer' : `The method ${selector}`;
  return {
    reason: 'METHOD_NOT_WHITELISTED',
    message: `${what} of the registered contract ${target} is not whitelisted.`,
    details: omitAbsent({ target, selector }),
  };
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
