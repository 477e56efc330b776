import type { DecisionItem, FixItem } from '@tollfree/contract/decision-fields';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { type Abi, type AbiFunction, toFunctionSelector, toFunctionSignature } from 'viem';

/** Refusals with the same cause: the sentence of the newest one, what was called, and the command that fixes it. */
export type RefusalGroup = {
  readonly count: number;
  readonly reason: string;
  readonly message: string;
  readonly contract?: string;
  readonly method?: string;
  /** A command, or commands, of an account holder. Absent if they cannot fix it. */
  readonly fix?: string;
  /** The newest one, for `tollfree why`. */
  readonly decisionId: string;
};

/** Groups refused decisions, newest first, by reason, called method and the rule that refused; the largest group first. */
export function groupRefusals(
  decisions: readonly DecisionItem[],
  contracts: readonly SmartContractItem[],
): readonly RefusalGroup[] {
  const groups = new Map<string, DecisionItem[]>();
  for (const decision of decisions) {
    if (decision.outcome !== 'refused') continue;
    const { rule, fix } = refusingStep(decision) ?? {};
    const key = JSON.stringify([decision.reason, rule, fix?.target, fix?.selector, fix?.policyField]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [decision]);
    else group.push(decision);
  }
  return [...groups.values()]
    .map((group) => describeGroup(group, contracts))
    .toSorted((one, other) => other.count - one.count);
}

function refusingStep({ trace }: DecisionItem) {
  return trace.findLast(({ verdict }) => verdict === 'refused');
}

function describeGroup(group: readonly DecisionItem[], contracts: readonly SmartContractItem[]): RefusalGroup {
  const [newest] = group;
  if (newest === undefined) throw new Error('A group has at least one decision.');
  const fix = refusingStep(newest)?.fix;
  const contract = contracts.find(({ address }) => address.toLowerCase() === fix?.target?.toLowerCase());
  const method = fix?.selector === undefined ? undefined : (methodName(contract, fix.selector) ?? fix.selector);
  const command = fix === undefined ? undefined : commandFor(fix, { contract, method });
  return {
    count: group.length,
    reason: newest.reason ?? 'unknown',
    message: newest.message ?? '',
    ...(fix?.target === undefined
      ? {}
      : { contract: contract === undefined ? fix.target : `${contract.name} ${fix.target}` }),
    ...(method === undefined ? {} : { method }),
    ...(command === undefined ? {} : { fix: command }),
    decisionId: newest.decisionId,
  };
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

type Called = { readonly contract: SmartContractItem | undefined; readonly method: string | undefined };

function commandFor({ action, target, policyField, webhookId }: FixItem, { contract, method }: Called): string {
  switch (action) {
    case 'register-contract':
      return `tollfree contract register <name> --address ${target ?? '<address>'} --abi <file> --whitelist ${quoted(method ?? '<method>')}`;
    case 'whitelist-method': {
      const listed = [...(contract?.whitelistedMethods ?? []), method ?? '<method>'];
      return `tollfree contract update ${target ?? '<address>'} --whitelist ${listed.map(quoted).join(' ')}`;
    }
    case 'change-policy':
      if (policyField === 'maxCostPerOperation') return 'tollfree policy set-cap "<amount> ether"';
      return `tollfree policy show > policy.json, change ${policyField ?? 'it'}, then tollfree policy set policy.json`;
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
