import type { Address, Hex } from 'viem';
import type { DecidedCall } from '../../domain/decision.ts';
import type { CallCondition, CallRule } from '../../domain/policy.ts';
import type { Argument, ValueType } from '../../evm/abi/argument-type.ts';
import type { AbiFunction, ContractMethods } from '../../evm/abi/parse-abi.ts';
import { type ArgumentValue, findArgument, type ReadParameters, valuesAt } from '../../evm/abi/read-call-arguments.ts';
import { readCondition } from './read-condition.ts';

/** The content of a call: wei, and its data; undefined for a past decision that did not record it. */
export type CallContent = { readonly value: bigint; readonly data: Hex };

export type AskedCall = DecidedCall & { readonly content: CallContent | undefined };

/** A condition of a rule, resolved for its method. */
export type CallTest = {
  readonly argument: string;
  /** The allowed values, as text. */
  readonly allowed: string;
  /** Whether it tests the elements of a list: at most as many values as the call has words. */
  readonly isOfList: boolean;
  /** The values to test, each of which must fulfil the condition. */
  valuesOf(call: { readonly value: bigint; readonly arguments: readonly ArgumentValue[] }): readonly ArgumentValue[];
  /** `sender` in lower case. */
  isFulfilled(value: ArgumentValue, sender: string): boolean;
};

/** The rules of one method: a call must fulfil all tests of one of `alternatives`. */
export type MethodRules = {
  readonly signature: string;
  readonly parameters: readonly Argument[];
  readonly alternatives: readonly (readonly CallTest[])[];
};

/** The rules for one contract. `broken` says why one of them cannot be applied; then none of its calls is sponsored. */
type ContractRules = {
  readonly methods: ReadonlyMap<Hex, MethodRules>;
  readonly broken?: string;
};

/** A policy's rules on arguments, by lower-case address. */
export type CallRules = ReadonlyMap<string, ContractRules>;

/** The state-changing methods of a registered contract, and the parameters of each. */
export type RuledContract = Pick<ContractMethods, 'methods'> & { readonly parametersOf: ReadParameters };

/** The contracts that rules name, by lower-case address; unregistered ones are missing. */
export type RuledContracts = ReadonlyMap<string, RuledContract>;

/** What in a rule does not match the contract; `field` is the name in the management API. */
export type CallRuleProblem = { readonly field: string; readonly requirement: string; readonly contract: Address };

/** How a condition names the wei that a call sends. No argument's name contains a point. */
const msgValue = 'msg.value';
const weiType: ValueType = { kind: 'uint', bits: 256 };
/** Most methods that an error lists. */
const maxNamed = 20;

/** Resolves rules against the currently registered contracts. A contract is broken if one of its rules does not match. */
export function readCallRules(
  rules: readonly CallRule[],
  contracts: RuledContracts,
): { readonly rules: CallRules; readonly problems: readonly CallRuleProblem[] } {
  const problems: CallRuleProblem[] = [];
  const read = new Map<string, RulesSoFar>();
  for (const [index, rule] of rules.entries()) {
    const address = rule.contract.toLowerCase();
    const ofContract: RulesSoFar = read.get(address) ?? { methods: new Map() };
    read.set(address, ofContract);
    const found = readRule(rule, contracts.get(address));
    if ('requirement' in found) {
      const field = `callRules[${index}].${found.field}`;
      problems.push({ field, requirement: found.requirement, contract: rule.contract });
      ofContract.broken ??= `${field} ${found.requirement}`;
    } else {
      const { selector, signature, parameters, tests } = found;
      const alternatives = [...(ofContract.methods.get(selector)?.alternatives ?? []), tests];
      ofContract.methods.set(selector, { signature, parameters, alternatives });
    }
  }
  return { rules: read, problems };
}

type RulesSoFar = { readonly methods: Map<Hex, MethodRules>; broken?: string };
type Unfit = { readonly field: string; readonly requirement: string };

function readRule({ contract, method, where }: CallRule, registered: RuledContract | undefined) {
  if (registered === undefined) {
    return {
      field: 'contract',
      requirement: `must be a registered contract: register ${contract}, or remove the rule`,
    };
  }
  const found = findMethod(registered.methods, method);
  if ('requirement' in found) return found;
  const { selector, signature } = found;
  const parameters = registered.parametersOf(selector);
  if (typeof parameters === 'string') {
    return {
      field: 'method',
      requirement: `must be a method whose arguments can be read, and ${short(signature)} ${parameters}`,
    };
  }
  const tests: CallTest[] = [];
  for (const [index, condition] of where.entries()) {
    const test = readTest(condition, parameters);
    if ('requirement' in test) return { ...test, field: `where[${index}].${test.field}` };
    tests.push(test);
  }
  return { selector, signature, parameters, tests };
}

/** By signature, or by name if it is unique. */
function findMethod(methods: readonly AbiFunction[], text: string): AbiFunction | Unfit {
  const exact = methods.find(({ signature }) => signature === text);
  if (exact !== undefined) return exact;
  const [only, ...overloads] = methods.filter(({ name }) => name === text);
  if (only !== undefined && overloads.length === 0) return only;
  const choices =
    only === undefined ? methods.map(({ name }) => name) : [only, ...overloads].map((one) => one.signature);
  const named = [...new Set(choices)].slice(0, maxNamed).map(short).join(', ');
  return {
    field: 'method',
    requirement:
      only === undefined
        ? `must be a state-changing method of the registered ABI: ${named === '' ? 'it has none' : named}`
        : `must be the signature of one of its overloads: ${named}`,
  };
}

function readTest(condition: CallCondition, parameters: readonly Argument[]): CallTest | Unfit {
  const { argument } = condition;
  const path = argument === msgValue ? undefined : findArgument(parameters, argument);
  if (typeof path === 'string') return { field: 'argument', requirement: path };
  const test = readCondition(condition, path?.type ?? weiType);
  if ('requirement' in test) return test;
  return {
    argument,
    ...test,
    isOfList: path?.steps.includes('every') === true,
    valuesOf: path === undefined ? ({ value }) => [value] : (call) => valuesAt(call.arguments, path),
  };
}

function short(text: string): string {
  return text.length > 128 ? `${text.slice(0, 127)}…` : text;
}
