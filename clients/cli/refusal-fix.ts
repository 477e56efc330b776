import type { DecisionItem, FixItem, TraceStepItem } from '@tollfree/contract/decision-fields';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { type Abi, type AbiFunction, toFunctionSelector, toFunctionSignature } from 'viem';

/** Commands for refusals that the service gives no machine-readable fix. Others are fixed in the application. */
const commandsByReason: Readonly<Record<string, string>> = {
  PAYMASTER_PAUSED: 'tollfree paymaster update <paymaster> --active yes',
  PAYMASTER_RETIRED: 'tollfree paymaster create <name>',
  KEY_DISABLED: 'tollfree key update <apiKeyId> --active yes',
  ORIGIN_NOT_ALLOWED: 'tollfree key update <apiKeyId> --origins <origins>',
  ADDRESS_NOT_ALLOWED: 'tollfree key update <apiKeyId> --networks <ranges>',
  RPC_METHOD_NOT_ALLOWED: 'tollfree key update <apiKeyId> --methods <methods>',
  POLICY_NOT_ACCEPTED: 'tollfree policy list',
  BUDGET_NOT_COUNTED: 'tollfree budget list',
  PRICE_UNAVAILABLE: 'tollfree status',
  CHAIN_UNAVAILABLE: 'tollfree status',
  SIGNER_UNAVAILABLE: 'tollfree status',
  STORE_UNAVAILABLE: 'tollfree status',
  BUNDLER_UNAVAILABLE: 'tollfree status',
  TICKET_REQUIRED: 'tollfree ticket-key create <name>',
  TICKET_KEY_NOT_KNOWN: 'tollfree ticket-key list',
  TICKET_ALGORITHM_NOT_ALLOWED: 'tollfree ticket-key list',
  TICKET_SIGNATURE_WRONG: 'tollfree ticket-key list',
  TICKET_FOR_ANOTHER: 'tollfree ticket-key list',
  TICKET_KEYS_UNAVAILABLE: 'tollfree ticket-key list',
};

/** Commands for bounds outside the policy, by the start of the rule's id. */
const commandsByRule: readonly (readonly [string, string])[] = [
  ['account-budget', 'tollfree budget set <budgetId> --max <usd>'],
  ['limit-key-', 'tollfree key update <apiKeyId> --limits <limits>'],
  ['api-key-rate', 'tollfree key update <apiKeyId> --rate <perSecond:burst>'],
];

/** Advice where the service's own names a field of the API, which no one at a terminal uses. */
const adviceByReason: Readonly<Record<string, string>> = {
  INVALID_PARAMS: 'Fix the parameter that the message names.',
  METHOD_NOT_WHITELISTED: 'Add the method to those that the contract sponsors.',
};

/** What to do about a refusal: a sentence, and the commands of the account holder or the operator, if there are any. */
export type RefusalFix = { readonly advice?: string; readonly command?: string };

/** The step that refused a decision. */
export function refusingStep({ trace }: Pick<DecisionItem, 'trace'>): TraceStepItem | undefined {
  return trace.findLast(({ verdict }) => verdict === 'refused');
}

/** The fix of a refusal for a person at a terminal. `contracts` are those registered with the paymaster. */
export function refusalFix(
  decision: Pick<DecisionItem, 'reason' | 'policyId' | 'trace'>,
  contracts: readonly SmartContractItem[],
): RefusalFix {
  const { rule = '', fix, remedy } = refusingStep(decision) ?? {};
  const { reason = '', policyId } = decision;
  const command =
    fix === undefined
      ? (commandsByRule.find(([start]) => rule.startsWith(start))?.[1] ?? commandsByReason[reason])
      : commandFor(fix, { ...calledBy(fix, contracts), policyId });
  const own = fix?.action === 'change-policy' ? undefined : adviceByReason[reason];
  const advice = own ?? (remedy === undefined ? undefined : withoutApiFields(remedy));
  return { ...(advice === undefined ? {} : { advice }), ...(command === undefined ? {} : { command }) };
}

/** Names commands instead of the paths and fields of the API. */
function withoutApiFields(remedy: string): string {
  return remedy
    .replace('The part store of /readyz', 'tollfree status')
    .replace('/readyz', 'tollfree status')
    .replace(' error.data.limitKind gives its type.', '')
    .replace('the entry from error.data to accounts of the chain', 'the account’s code with tollfree account-code add');
}

type Called = { readonly contract: SmartContractItem | undefined; readonly method: string | undefined };

/** The contract of a refused call and its method, by the registered ABI where there is one. */
export function calledBy(fix: FixItem | undefined, contracts: readonly SmartContractItem[]): Called {
  const { target, selector } = fix ?? {};
  const contract = contracts.find(({ address }) => address.toLowerCase() === target?.toLowerCase());
  const method = selector === undefined ? undefined : (methodName(contract, selector) ?? selector);
  return { contract, method };
}

/** The signature of a method in the registered ABI. */
function methodName(contract: SmartContractItem | undefined, selector: string): string | undefined {
  if (contract === undefined) return undefined;
  const abi = JSON.parse(contract.abi) as Abi;
  const found = abi.find(
    (item): item is AbiFunction => item.type === 'function' && toFunctionSelector(item) === selector,
  );
  return found && toFunctionSignature(found);
}

function commandFor(
  { action, target, policyField, webhookId }: FixItem,
  { contract, method, policyId }: Called & { readonly policyId: string | undefined },
): string {
  switch (action) {
    case 'register-contract':
      return `tollfree contract register <name> --address ${target ?? '<address>'} --abi <file> --whitelist ${quoted(method ?? '<method>')}`;
    case 'whitelist-method': {
      const listed = [...(contract?.whitelistedMethods ?? []), method ?? '<method>'];
      return `tollfree contract update ${target ?? '<address>'} --whitelist ${listed.map(quoted).join(' ')}`;
    }
    case 'change-policy': {
      const chosen = policyId === undefined ? '' : ` --policy ${policyId}`;
      if (policyField === 'maxCostPerOperation') return `tollfree policy set-cap "<amount> ether"${chosen}`;
      return `tollfree policy show${chosen} > policy.json, change ${policyField ?? 'it'}, then tollfree policy set policy.json${chosen}`;
    }
    case 'look-at-webhook':
      return `tollfree webhook answers ${webhookId ?? '<webhookId>'}`;
    case 'deposit':
      return 'tollfree tank show, which names the transaction that fills it';
  }
}

/** For a shell: signatures have brackets. */
function quoted(method: string): string {
  return /^[\w$.]+$/.test(method) ? method : `'${method.replaceAll("'", '')}'`;
}
