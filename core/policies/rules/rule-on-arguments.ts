import { unprintable } from '@tollfree/contract/limits';
import { type Address, getAddress } from 'viem';
import type { DecidedCall } from '../../domain/decision.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { type ArgumentValue, readCallArguments } from '../../evm/abi/read-call-arguments.ts';
import type { AskedCall, CallContent, CallRules, CallTest, MethodRules } from '../call-rules/call-rules.ts';
import type { Finding } from '../findings/finding.ts';
import type { Ruling } from './ruling.ts';

/** The id of the rule on arguments. */
export const argumentsRule = 'call-arguments' as const;
const notPrintable = new RegExp(unprintable, 'gu');

/** Most characters of a value, and of the allowed values, that a refusal repeats. */
const maxShown = 100;
/**
 * Most comparisons per operation: about ten milliseconds of work. A condition on a list may compare as many values as the
 * call has words, which are 2,000 in 64 KiB, and a method's rules can have 2,000 conditions.
 */
export const maxComparisons = 200_000;
const digitsOfWord = 64;
/** Most rules whose first unfulfilled condition a refusal names. */
const maxAlternatives = 3;

/**
 * Each call of a method with rules must fulfil all conditions of one of them. If a rule no longer matches its contract, no
 * call of the contract is sponsored. Data that was not recorded is not judged. No ruling if there are no rules.
 */
export function ruleOnArguments(rules: CallRules, calls: readonly AskedCall[], sender: Address): readonly Ruling[] {
  if (rules.size === 0) return [];
  let ruled = 0;
  const work = { comparisons: 0 };
  for (const call of calls) {
    const contract = rules.get(call.target.toLowerCase());
    if (contract === undefined) continue;
    if (contract.broken !== undefined) return [brokenRule(call, contract.broken)];
    const method = call.selector === undefined ? undefined : contract.methods.get(call.selector);
    if (method === undefined || call.content === undefined) continue;
    ruled += 1;
    const refused = refuseCall(method, { ...call, content: call.content, sender: sender.toLowerCase() }, work);
    if (refused !== undefined) return [refused];
  }
  return [{ rule: argumentsRule, finding: [argumentsRule, ruled, calls.length] }];
}

/** Whether rules apply to a call whose arguments were not recorded. */
export function hasUnreadArguments(rules: CallRules, calls: readonly AskedCall[]): boolean {
  return calls.some(({ target, selector, content }) => {
    return (
      content === undefined && selector !== undefined && rules.get(target.toLowerCase())?.methods.has(selector) === true
    );
  });
}

function brokenRule({ target: called, selector }: DecidedCall, broken: string): Ruling {
  const target = getAddress(called);
  return refused(['call-rules-broken', target], {
    message: `A rule of this paymaster’s policy about ${target} cannot be applied, so none of its calls is sponsored: ${broken}.`,
    details: { target, ...(selector === undefined ? {} : { selector }) },
  });
}

/** The work for an operation so far. */
type Work = { comparisons: number };

function refuseCall(
  { signature, parameters, alternatives }: MethodRules,
  { target: called, selector = '0x', content, sender }: DecidedCall & { readonly content: CallContent; sender: string },
  work: Work,
): Ruling | undefined {
  const method = shorten(signature);
  const target = getAddress(called);
  const details = { target, selector, method };
  const values = readCallArguments(parameters, content.data);
  if (values === undefined) {
    return refused(['call-not-canonical', method, target], {
      message: `The arguments of ${method} of ${target} are not in the canonical encoding of their types, so the rules on them cannot be checked.`,
      details,
    });
  }
  const call = { value: content.value, arguments: values };
  const words = Math.ceil(content.data.length / digitsOfWord);
  const failures: Failure[] = [];
  for (const tests of alternatives) {
    const failure = findFailure(tests, { ...call, sender, words }, work);
    if (failure === undefined) return undefined;
    if (failure === 'too much') {
      return refused(['call-comparisons', method, target, maxComparisons], {
        message: `The rules on ${method} of ${target} need more than ${maxComparisons} comparisons for this operation. Send fewer values, or remove rules on the method.`,
        details,
      });
    }
    failures.push(failure);
  }
  const [first] = failures as [Failure]; // the method has a rule, so at least one failed
  const some = failures.slice(0, maxAlternatives);
  const found = some.map((failure) => `${failure.argument} of ${failure.found}`).join(', ');
  const allowed = some.map((failure) => `${failure.argument}: ${failure.allowed}`).join('; or ');
  return refused(['call-arguments-refused', found, method, target, allowed], {
    message: `The policy of this paymaster does not allow the arguments of ${method} of ${target}: ${some.map(failureText).join('; by another rule ')}.`,
    details: { ...details, argument: first.argument, found: first.found, allowed: first.allowed },
  });
}

type Failure = { readonly argument: string; readonly found: string; readonly allowed: string };

/** The first unfulfilled condition; `too much` when finding it takes too many comparisons. */
function findFailure(
  tests: readonly CallTest[],
  call: Parameters<CallTest['valuesOf']>[0] & { readonly sender: string; readonly words: number },
  work: Work,
): Failure | 'too much' | undefined {
  for (const test of tests) {
    work.comparisons += test.isOfList ? call.words : 1;
    if (work.comparisons > maxComparisons) return 'too much';
    const found = test.valuesOf(call).find((value) => !test.isFulfilled(value, call.sender));
    if (found !== undefined) {
      return { argument: shorten(test.argument), found: shorten(valueText(found)), allowed: shorten(test.allowed) };
    }
  }
  return undefined;
}

function failureText({ argument, found, allowed }: Failure): string {
  return `${argument} is ${found}, but must be ${allowed}`;
}

function refused(finding: Finding, refusal: Pick<Refusal, 'message' | 'details'>): Ruling {
  return { rule: argumentsRule, finding, refusal: { reason: 'ARGUMENT_NOT_ALLOWED', ...refusal } };
}

/** A caller's text is quoted, so that it cannot look like our own. */
function valueText(value: ArgumentValue): string {
  if (typeof value !== 'string') return String(value);
  const some = value.slice(0, maxShown);
  return /^0x[0-9a-f]*$/.test(some) ? some : JSON.stringify(some.replace(notPrintable, '?'));
}

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text;
}
