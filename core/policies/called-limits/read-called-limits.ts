import type { PolicyLimit } from '../../domain/policy.ts';
import type { AbiFunction, ContractMethods } from '../../evm/abi/parse-abi.ts';
import type { CallRuleProblem } from '../call-rules/read-call-rules.ts';
import { calledKey } from './called-key.ts';
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
