import type { BudgetItem } from '@tollfree/contract/budget';
import type { DecisionItem, TraceStepItem } from '@tollfree/contract/decision-fields';
import type { FixItem } from '@tollfree/contract/fix';
import type { ApiKeyItem, PaymasterItem, ServedChainItem } from '@tollfree/contract/paymaster';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { suggestCap } from '@tollfree/contract/suggested-limit';
import { type Abi, type AbiFunction, formatEther, toFunctionSelector, toFunctionSignature } from 'viem';

/** What a person at a terminal does about a refusal: runs a command, or changes something by hand between two commands. */
export type FixStep = { readonly command: string; readonly isForOperator?: true } | { readonly byHand: string };

/** What completes the commands. What is not known stays a placeholder in angle brackets. */
export type KnownForFix = {
  /** The paymaster that refused. */
  readonly paymaster?: Pick<PaymasterItem, 'paymasterId' | 'chainId' | 'version' | 'contract'>;
  /** The value of `--paymaster`, unless commands act on this paymaster without it. */
  readonly paymasterFlag?: string;
  /** Those that are registered with the paymaster. */
  readonly contracts?: readonly SmartContractItem[];
  readonly apiKeys?: readonly ApiKeyItem[];
  readonly budgets?: readonly BudgetItem[];
  readonly chains?: readonly ServedChainItem[];
};

/** The refused decision, as far as the commands depend on it. */
type Refused = Partial<Pick<DecisionItem, 'policyId' | 'chainId' | 'sender' | 'facts'>>;

/** The step that refused a decision. */
export function refusingStep({ trace }: Pick<DecisionItem, 'trace'>): TraceStepItem | undefined {
  return trace.findLast(({ verdict }) => verdict === 'refused');
}

/** What to run for a fix, in order. */
export function fixSteps(fix: FixItem, refused: Refused = {}, known: KnownForFix = {}): readonly FixStep[] {
  const { action, target, webhookId } = fix;
  const at = known.paymasterFlag === undefined ? '' : ` --paymaster ${inShell(known.paymasterFlag)}`;
  switch (action) {
    case 'register-contract': {
      const method = inShell(calledBy(fix, known.contracts).method ?? '<method>');
      const given = `--address ${target ?? '<address>'} --abi <file> --whitelist ${method}`;
      return [{ command: `tollfree contract register <name> ${given}${at}` }];
    }
    case 'whitelist-method': {
      const { contract, method = '<method>' } = calledBy(fix, known.contracts);
      const methods = [...(contract?.whitelistedMethods ?? []), method].map(inShell).join(' ');
      return [{ command: `tollfree contract update ${target ?? '<address>'} --whitelist ${methods}${at}` }];
    }
    case 'change-policy':
      return policySteps(fix, refused, at);
    case 'look-at-policies':
      return [{ command: `tollfree policy list${at}` }];
    case 'look-at-webhook':
      return [{ command: `tollfree webhook answers ${webhookId ?? '<webhookId>'}${at}` }];
    case 'deposit':
      return [{ command: `tollfree tank show${at}` }];
    case 'resume-paymaster':
      return [{ command: `tollfree paymaster update ${known.paymaster?.paymasterId ?? '<paymasterId>'} --active yes` }];
    case 'create-paymaster': {
      const { chainId = '<chainId>' } = refused;
      return [{ command: `tollfree paymaster create <name> --chain-id ${chainId} ${contractOption(known)}` }];
    }
    case 'change-budget':
      return budgetSteps(known);
    case 'look-at-ticket-keys':
      return [{ command: `tollfree ticket-key list${at}` }];
    case 'look-at-status':
      return [{ command: 'tollfree status', isForOperator: true }];
    default:
      return keySteps(action, known, at);
  }
}

/** The option that chooses the contract of the paymaster for another one: its EntryPoint, if that names one contract. */
function contractOption({ paymaster, chains = [] }: KnownForFix): string {
  if (paymaster === undefined) return '--entry-point <version>';
  const { chainId, version, contract } = paymaster;
  const served = chains.find((chain) => chain.chainId === chainId)?.contracts ?? [];
  const fitting = served.filter(({ entryPointVersion }) => entryPointVersion === contract?.entryPointVersion);
  return fitting.length === 1
    ? `--entry-point ${contract?.entryPointVersion}`
    : `--paymaster-version ${inShell(version)}`;
}

function policySteps({ policyField = 'it' }: FixItem, { policyId, chainId, sender, facts }: Refused, at: string) {
  const of = `${policyId === undefined ? '' : ` --policy ${policyId}`}${at}`;
  if (policyField === 'maxCostPerOperation') {
    const cost = facts?.worstCase;
    const amount = cost === undefined ? '<amount>' : formatEther(suggestCap(BigInt(cost)));
    return [{ command: `tollfree policy set-cap "${amount} ether"${of}` }];
  }
  // The operator can review the code. A policy that accepts any code is the second choice.
  const reviewed: readonly FixStep[] =
    policyField === 'accounts'
      ? [
          {
            command: `tollfree account-code add ${sender ?? '<address>'} --chain ${chainId ?? '<chainId>'}`,
            isForOperator: true,
          },
        ]
      : [];
  return [
    ...reviewed,
    { command: `tollfree policy show${of} > policy.json` },
    { byHand: `Change ${policyField} in policy.json.` },
    { command: `tollfree policy set policy.json${of}` },
  ];
}

/** Of a key: the option that changes it, and whether the refusal can be of this key. */
const keyChanges = {
  'enable-key': { option: '--active yes', isOf: ({ disabled }) => disabled },
  'change-key-origins': { option: '--origins <origins>', isOf: ({ rules }) => rules.origins.length > 0 },
  'change-key-networks': { option: '--networks <ranges>', isOf: ({ rules }) => rules.networks.length > 0 },
  'change-key-methods': { option: '--methods <methods>', isOf: ({ rules }) => rules.methods.length > 0 },
  'change-key-rate': { option: '--rate <perSecond:burst>', isOf: ({ rules }) => rules.rate !== undefined },
  'change-key-limits': { option: '--limits <limits>', isOf: ({ rules }) => rules.limits.length > 0 },
} as const satisfies Record<string, { readonly option: string; readonly isOf: (key: ApiKeyItem) => boolean }>;

/** Whether an action changes an apiKey. */
export function isKeyAction(action: FixItem['action']): action is keyof typeof keyChanges {
  return Object.hasOwn(keyChanges, action);
}

/** A refusal does not say which key it was, so the command has its id only if no other key fits. */
function keySteps(action: keyof typeof keyChanges, { apiKeys = [] }: KnownForFix, at: string): readonly FixStep[] {
  const { option, isOf } = keyChanges[action];
  const [only, ...others] = apiKeys.filter(isOf);
  const change = (apiKeyId: string) => ({ command: `tollfree key update ${apiKeyId} ${option}${at}` });
  if (only !== undefined && others.length === 0) return [change(only.apiKeyId)];
  return [{ command: `tollfree key list${at}` }, change('<apiKeyId>')];
}

function budgetSteps({ paymaster, budgets = [] }: KnownForFix): readonly FixStep[] {
  const [only, ...others] = budgets.filter(
    ({ paymasterIds }) => paymaster === undefined || paymasterIds?.includes(paymaster.paymasterId) !== false,
  );
  const change = (budgetId: string) => ({ command: `tollfree budget set ${budgetId} --max <usd>` });
  if (only !== undefined && others.length === 0) return [change(only.budgetId)];
  return [{ command: 'tollfree budget list' }, change('<budgetId>')];
}

/** A step as a line. */
export function stepText(step: FixStep): string {
  if ('byHand' in step) return step.byHand;
  return step.isForOperator === true ? `The operator runs: ${step.command}` : step.command;
}

type Called = { readonly contract?: SmartContractItem; readonly method?: string };

/** The contract of a refused call and the signature of its method, as far as an ABI is registered. */
export function calledBy({ target, selector }: Partial<FixItem>, contracts: readonly SmartContractItem[] = []): Called {
  const contract = contracts.find(({ address }) => address.toLowerCase() === target?.toLowerCase());
  if (contract === undefined) return {};
  const found = (JSON.parse(contract.abi) as Abi).find(
    (item): item is AbiFunction => item.type === 'function' && toFunctionSelector(item) === selector,
  );
  return found === undefined ? { contract } : { contract, method: toFunctionSignature(found) };
}

/** For a shell: signatures have brackets, and names spaces. A placeholder stays as it is. */
function inShell(text: string): string {
  return /^([\w$.-]+|<\w+>)$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
