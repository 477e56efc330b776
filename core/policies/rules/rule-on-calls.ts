import { counted } from '@tollfree/contract/counted';
import { maxSelectors } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, size } from 'viem';
import type { DecidedCall, ListedCalls } from '../../domain/decision.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { isAttributionSuffix, maxAttributionBytes } from '../../evm/account-decoders/attribution-suffix.ts';
import type { CallContent } from '../call-rules/call-rules.ts';
import type { Ruling, SponsoredContracts } from './ruling.ts';

const rule = 'policy-calls' as const;
const selectorBytes = 4;

/** A call, and its data if known: past decisions do not record all of it. */
type SizedCall = DecidedCall & { readonly content?: CallContent | undefined };
/** An operation's calls; `deploysOnly` when it creates its account and calls nothing. */
export type AskedCalls = { readonly calls: readonly SizedCall[]; readonly deploysOnly: boolean };

/**
 * Every call must go to a registered contract and a whitelisted method, unless the policy sponsors all calls; one other call
 * refuses the whole operation. A paymaster without contracts or such a policy sponsors nothing. Clients fall back to
 * self-pay on the beginnings of two of the texts.
 */
export function ruleOnCalls(
  { contracts, policy }: { readonly contracts: SponsoredContracts; readonly policy: Policy },
  { calls, deploysOnly, sender }: AskedCalls & { readonly sender?: Address },
): Ruling {
  const { sponsorAllCalls, allowAccountDeployment } = policy;
  const asked = deploysOnly ? 'deployment' : calls.length;
  if (deploysOnly && allowAccountDeployment) return { rule, finding: [rule, asked, 'allowAccountDeployment'] };
  const seen: Ruling = { rule, finding: [rule, asked, sponsorAllCalls ? 'sponsorAllCalls' : contracts.size] };
  if (contracts.size === 0 && !sponsorAllCalls) return { ...seen, refusal: noPolicies(calls[0]) };
  if (deploysOnly) return { ...seen, refusal: deploymentNotAllowed };
  if (sponsorAllCalls) return seen;
  let attributions = 0;
  for (const call of calls) {
    const refusal = refuseCall(contracts, call, sender) ?? refuseSurplus(contracts, call, attributions);
    if (refusal !== undefined) return { ...seen, refusal };
    if (surplusOf(contracts, call) !== undefined) attributions += 1;
  }
  return seen;
}

/** How the paymaster knows each call, in the form of the decision's record ({@link ListedCalls}). */
export function listCalls(contracts: SponsoredContracts, calls: readonly DecidedCall[]): ListedCalls {
  return calls
    .map(({ target, selector }) => {
      const contract = contracts.get(target.toLowerCase());
      if (contract === undefined) return '-';
      return selector !== undefined && contract.selectors.has(selector) ? 'm' : 'c';
    })
    .join('');
}

/** The bytes after the arguments, for a method whose arguments have a fixed size; undefined if there are none. */
export function surplusOf(contracts: SponsoredContracts, { target, selector, content }: SizedCall): Buffer | undefined {
  if (selector === undefined || content === undefined) return undefined;
  const fixed = contracts.get(target.toLowerCase())?.selectors.get(selector);
  if (fixed === undefined || size(content.data) <= selectorBytes + fixed) return undefined;
  return Buffer.from(content.data.slice(2 + 2 * (selectorBytes + fixed)), 'hex');
}

/**
 * The sponsor pays even for bytes that a method does not read, and where a contract bundles, they need not be published. One
 * attribution suffix (ERC-8021) may follow the arguments of one call.
 */
function refuseSurplus(contracts: SponsoredContracts, call: SizedCall, attributions: number): Refusal | undefined {
  const surplus = surplusOf(contracts, call);
  if (surplus === undefined || (attributions === 0 && isAttributionSuffix(surplus))) return undefined;
  return {
    reason: 'CALL_NOT_UNDERSTOOD',
    message: `The call of ${call.selector} of ${call.target} has ${counted(surplus.length, 'byte')} after its arguments. Leave them out. One call per operation may end with an ERC-8021 suffix of at most ${maxAttributionBytes} bytes.`,
    field: 'callData',
    details: omitAbsent({ target: call.target, selector: call.selector }),
  };
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
    'The operation only deploys its account. This paymaster sponsors that only with allowAccountDeployment in its policy.',
  details: { policy: 'allowAccountDeployment' },
};

function refuseCall(
  contracts: SponsoredContracts,
  { target, selector, content }: SizedCall,
  sender: Address | undefined,
): Refusal | undefined {
  const contract = contracts.get(target.toLowerCase());
  if (contract === undefined) {
    const isOwn = target.toLowerCase() === sender?.toLowerCase();
    const who = isOwn ? `${target}, the account itself, is called and` : target;
    return {
      reason: 'CONTRACT_NOT_REGISTERED',
      message: `Smart contract data not found: ${who} is not registered with this paymaster.`,
      details: omitAbsent({ target, selector }),
    };
  }
  if (contract.isAboveBound === true) {
    return {
      reason: 'METHOD_NOT_WHITELISTED',
      message: `The contracts of this paymaster have more than ${maxSelectors} whitelisted methods, so those of ${target} and of contracts registered after it are ignored. Whitelist fewer of their methods.`,
      details: omitAbsent({ target, selector }),
    };
  }
  if (selector !== undefined && contract.selectors.has(selector)) return undefined;
  const isShort = selector === undefined && (content?.data ?? '0x') !== '0x';
  const what = selector === undefined ? 'A plain transfer to' : `The method ${selector} of`;
  return {
    reason: 'METHOD_NOT_WHITELISTED',
    message: isShort
      ? `A call of the registered contract ${target} has data that is too short: a method takes at least ${selectorBytes} bytes.`
      : `${what} the registered contract ${target} is not whitelisted.`,
    details: omitAbsent({ target, selector }),
  };
}
