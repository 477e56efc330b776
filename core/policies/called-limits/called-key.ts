import { createHash } from 'node:crypto';
import type { PolicyLimit } from '../../domain/policy.ts';
import type { AbiFunction, ContractMethods } from '../../evm/abi/parse-abi.ts';
import type { CallRuleProblem } from '../call-rules/call-rules.ts';
import type { CalledLimit, CalledLimits } from './count-calls.ts';

/** The contracts that limits name, by lower-case address; unregistered ones are missing. */
export type CalledContracts = ReadonlyMap<string, ContractMethods>;

/** Most methods that an error lists, and characters of one. */
const maxNamed = 20;
const maxNamedLength = 128;
const noSelectors: CalledLimit['known'] = new Set();

/**
 * Resolves which calls a policy's limits count, against the currently registered contracts. A method is named by its
 * signature, or by a name that includes all its overloads, as in a whitelist.
 */
export function readCalledLimits(
  limits: readonly PolicyLimit[],
  contracts: CalledContracts,
): { readonly limits: CalledLimits; readonly problems: readonly CallRuleProblem[] } {
  const read = new Map<string, CalledLimit>();
  const problems: CallRuleProblem[] = [];
  for (const [index, limit] of limits.entries()) {
    const key = calledKey(limit);
    if (key === undefined || limit.contract === undefined) continue;
    const { contract: address, method } = limit;
    const contract = address.toLowerCase();
    const { methods, selectors: known = noSelectors } = contracts.get(contract) ?? {};
    const named = method === undefined ? undefined : methods?.filter((one) => isNamed(one, method));
    const problem = problemOf(methods, named, address);
    if (problem === undefined) {
      const selectors = named === undefined ? {} : { selectors: new Set(named.map(({ selector }) => selector)) };
      read.set(key, { contract, known, ...selectors });
    } else {
      const field = `limits[${index}].${problem.field}`;
      problems.push({ field, requirement: problem.requirement, contract: address });
      read.set(key, { contract, known, broken: `${field} ${problem.requirement}` });
    }
  }
  return { limits: read, problems };
}

function isNamed({ name, signature }: AbiFunction, text: string): boolean {
  return name === text || signature === text;
}

function problemOf(
  methods: readonly AbiFunction[] | undefined,
  named: readonly AbiFunction[] | undefined,
  contract: string,
): { readonly field: string; readonly requirement: string } | undefined {
  if (methods === undefined) {
    return {
      field: 'contract',
      requirement: `must be a registered contract: register ${contract}, or remove the limit`,
    };
  }
  if (named === undefined || named.length > 0) return undefined;
  const names = [...new Set(methods.map(({ name }) => name.slice(0, maxNamedLength)))].slice(0, maxNamed).join(', ');
  return {
    field: 'method',
    requirement: `must be a state-changing method of the registered ABI: ${names === '' ? 'it has none' : names}`,
  };
}

/** Length of a {@link calledKey}, fixed so that the store can cut it off. */
export const calledKeyLength = 40;

type Named = Pick<PolicyLimit, 'contract' | 'method'> & { readonly webhook?: { readonly key: string } };

/** Limits are parsed once but looked up with each request. */
const known = new WeakMap<Named, string>();

/**
 * The key for counting a limit's calls: those of one contract, or of one method as the limit names it. A webhook's budget
 * has its own key. Undefined for a limit on all operations.
 */
export function calledKey(limit: Named): string | undefined {
  const { contract, method = '', webhook } = limit;
  if (webhook !== undefined) return webhook.key;
  if (contract === undefined) return undefined;
  const kept = known.get(limit);
  if (kept !== undefined) return kept;
  const digest = createHash('sha256').update(JSON.stringify([contract.toLowerCase(), method]));
  const key = digest.digest('hex').slice(0, calledKeyLength);
  known.set(limit, key);
  return key;
}

/** Cannot collide with a contract's key, which consists of hex digits. */
const prefix = 'webhook-';

/**
 * The key for counting what was sponsored without a webhook. Changing the webhook changes the key, so earlier counts no
 * longer apply.
 */
export function budgetKey(webhookId: string, era: number): string {
  const digest = createHash('sha256').update(JSON.stringify([webhookId, era]));
  return prefix + digest.digest('hex').slice(0, calledKeyLength - prefix.length);
}

/** Whether a key belongs to a webhook, whose budget counts across all policies. */
export function isBudgetKey(called: string): boolean {
  return called.startsWith(prefix);
}

/** Prefix of the subjects that count calls of a contract or method; the key of `called-key.ts` follows. */
export const calledPrefix = 'called:';
export const calledPrefixLength = calledPrefix.length + calledKeyLength + 1;

/** The subject of a count, and which calls it counts; all operations without `called`. */
type Whose = { readonly subject: string; readonly called?: string };

/** The stored form. */
export function storedSubject({ subject, called }: Whose): string {
  return called === undefined ? subject : `${calledPrefix}${called}:${subject}`;
}
