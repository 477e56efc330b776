import type { PolicyItem } from '@tollfree/contract/policy';
import { PolicyInForceSchema } from '@tollfree/contract/policy-fields';
import { formatGwei } from 'viem';
import { z } from 'zod';
import { amountOfCoin } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { momentText } from '../../parts/text/moment-text.ts';
import { coinText, usdText } from '../../parts/text/usd-text.ts';
import { labelOf, valueNames, withinWindow } from './field-names.ts';
import { policySchema } from './field-schema.ts';
import type { PolicyDraft } from './policy-draft.ts';

/** Where a policy applies: its chain, and a contract's name, or its address if it has none. */
export type PolicyNames = { readonly chainId: number; readonly nameOf: (address: string) => string };

/** What a field's value means; empty where nothing needs to be said. */
type Sentences = {
  readonly [Field in keyof PolicyItem]?: (
    value: Exclude<PolicyItem[Field], undefined>,
    names: PolicyNames,
  ) => readonly string[];
};

/**
 * A policy in sentences; absent fields have their defaults. A field without sentences of its own is shown with its label, so
 * that no change is invisible. What is not complete yet in a draft is said to be.
 */
export function describePolicy(policy: PolicyDraft, names: PolicyNames): readonly string[] {
  const fields = [...new Set([...Object.keys(sentences), ...Object.keys(policy)])].filter((name) => name !== 'etag');
  return describeFields(policy, fields, names);
}

/** Some fields of a policy in sentences. */
export function describeFields(policy: PolicyDraft, fields: readonly string[], names: PolicyNames): readonly string[] {
  return fields.flatMap((name) => {
    const value = policy[name] ?? defaultOf(name);
    if (value === undefined) return [];
    // The sentences of a field take the values that its schema accepts.
    const describe = sentences[name as keyof PolicyItem] as Describe | undefined;
    if (describe === undefined) return plainSentence(name, value);
    return partsOf(name, value).flatMap((part) =>
      part.isComplete ? describe(part.value, names) : [`${labelOf(name)}: ${part.problem}.`],
    );
  });
}

type Describe = (value: unknown, names: PolicyNames) => readonly string[];
type Part =
  | { readonly isComplete: true; readonly value: unknown }
  | { readonly isComplete: false; readonly problem: string };

/** A field's value by the contract's schema: as a whole, or each unfinished element of a list alone. */
function partsOf(name: string, value: unknown): readonly Part[] {
  const schema = (PolicyInForceSchema.shape as Readonly<Record<string, z.ZodType>>)[name];
  if (schema === undefined) return [{ isComplete: true, value }];
  const whole = schema.safeParse(value);
  if (whole.success) return [{ isComplete: true, value: whole.data }];
  const element = elementOf(schema);
  if (!Array.isArray(value) || element === undefined)
    return [{ isComplete: false, problem: problemOf(whole.error, value) }];
  const read = value.map((each) => ({ each, ...element.safeParse(each) }));
  const complete = read.flatMap(({ success, data }) => (success ? [data] : []));
  const problems = read.flatMap(({ error, each }) => (error === undefined ? [] : [problemOf(error, each)]));
  return [
    { isComplete: true, value: complete },
    ...problems.map((problem) => ({ isComplete: false, problem }) as const),
  ];
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return elementOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
}

/** What is missing or wrong, with the label of its field. */
function problemOf({ issues: [issue] }: z.ZodError, value: unknown): string {
  if (issue === undefined) return 'not complete';
  const field = issue.path.findLast((step) => typeof step === 'string');
  const given = issue.path.reduce<unknown>((part, step) => (part as PolicyDraft | undefined)?.[String(step)], value);
  if (field !== undefined && given === undefined) return `“${labelOf(field)}” is missing`;
  const requirement = issue.message.replace(/^\S*(?= must )/, '').trim();
  return field === undefined ? requirement : `“${labelOf(field)}” ${requirement}`;
}

function defaultOf(name: string): unknown {
  return policySchema.properties?.[name]?.default;
}

function plainSentence(name: string, value: unknown): readonly string[] {
  if (JSON.stringify(value) === JSON.stringify(defaultOf(name))) return [];
  const text = typeof value === 'string' ? (valueNames[value] ?? value) : JSON.stringify(value);
  return [value === true ? `${labelOf(name)}.` : `${labelOf(name)}: ${text}.`];
}

/** In the order in which they are shown. */
const sentences: Sentences = {
  sponsorAllCalls: (all) => [
    all ? 'Calls to any contract are sponsored, registered or not.' : 'Only calls to registered methods are sponsored.',
  ],
  allowAccountDeployment: (allowed) => (allowed ? ['Operations that only deploy an account are sponsored.'] : []),
  allowRevertingOperations: (allowed) => (allowed ? ['Operations whose own call fails are sponsored too.'] : []),
  relay: (relay) => {
    if (relay === 'NEVER') return [];
    return relay === 'ONLY'
      ? ['Only relayed operations are sponsored, which use no paymaster contract.']
      : ['Operations may be relayed, without the paymaster contract.'];
  },
  accounts: (accounts) => [
    accounts === 'KNOWN' ? 'The account’s code must be known.' : 'Any account is accepted, whatever its code does.',
  ],
  requireTicket: (required) => (required ? ['Every request needs a ticket.'] : []),
  allowedSenders: ({ length }) => [`${senders(length)} may be sponsored, and no other.`],
  blockedSenders: ({ length }) => (length === 0 ? [] : [`${senders(length)} will never be sponsored.`]),
  // A policy may lack both.
  tokens: ({ enabled = true, allowed = [], tokenRecipient }) => [
    ...(enabled ? [] : ['Users may not pay in tokens.']),
    ...(allowed.length === 0 ? [] : [`Users may pay in ${allowed.length} named tokens.`]),
    ...(tokenRecipient === undefined ? [] : [`The tokens go to ${tokenRecipient}.`]),
  ],
  maxCostPerOperation: ({ wei, usd }, { chainId }) => [
    ...(wei === undefined ? [] : [`One operation may cost at most ${amountOfCoin(coinText(wei), chainId)}.`]),
    ...(usd === undefined ? [] : [`One operation may cost at most ${usdText(usd)}.`]),
  ],
  maxFeePerGas: (max) => [`Nothing is signed at a gas price above ${formatGwei(BigInt(max))} gwei.`],
  maxGasPerOperation: (max) => [`One operation may use at most ${max} gas.`],
  maxPreVerificationGas: (max) => [`Its preVerificationGas may be at most ${max}.`],
  limits: (limits, names) => limits.map((limit) => describeLimit(limit, names)),
  userPaysPercent: (percent) => [`Users pay ${percent} percent of the gas in a token.`],
  thenPayInToken: (offered) => (offered ? ['When a limit is used up, users may pay in a token.'] : []),
  maxValiditySeconds: (max) => [`Signatures are valid for at most ${counted(Number(max), 'second')}.`],
  notBefore: (at) => [`Nothing is sponsored before ${momentText(at)}.`],
  notAfter: (at) => [`Nothing is sponsored from ${momentText(at)} on.`],
  pauses: (pauses) =>
    pauses.map(({ days, from, until }) => {
      const names = days.map((day) => valueNames[day] ?? day).join(', ');
      return `Nothing is sponsored from ${from} until ${until} UTC, beginning on ${names}.`;
    }),
  callRules: describeRules,
  methodGas: (caps, { nameOf }) =>
    // A draft may lack the parts of a cap.
    caps.map(({ contract, method, maxCallGas = 0 }: Partial<PolicyItem['methodGas'][number]>) => {
      const name = contract === undefined ? 'a contract' : nameOf(contract);
      const called = method === undefined ? name : `${method} of ${name}`;
      return `Operations that call ${called} may have a callGasLimit of at most ${maxCallGas}.`;
    }),
};

function senders(count: number): string {
  if (count === 0) return 'No sender';
  return count === 1 ? 'One named sender' : `${count} named senders`;
}

const limitedBy = {
  SENDER: 'Each sender',
  SUBJECT: 'Each user of a ticket',
  TOTAL: 'All together',
} as const satisfies Record<PolicyItem['limits'][number]['per'], string>;

/** A limit in a sentence. */
export function describeLimit(
  { per, window, unit, max, contract, method }: PolicyItem['limits'][number],
  { chainId, nameOf }: PolicyNames,
): string {
  const who = limitedBy[per];
  const called = contract === undefined ? '' : ` of ${method === undefined ? '' : `${method} of `}${nameOf(contract)}`;
  if (unit === 'OPERATIONS') {
    const counted = contract === undefined ? 'operations' : 'calls';
    return `${who} may have ${max} ${counted}${called} ${withinWindow[window]}.`;
  }
  const amount = unit === 'WEI' ? amountOfCoin(coinText(max), chainId) : usdText(max);
  const counted = contract === undefined ? '' : `, counting operations with calls${called}`;
  return `${who} may cost at most ${amount} ${withinWindow[window]}${counted}.`;
}

type CallRules = PolicyItem['callRules'];
type Condition = CallRules[number]['where'][number];

function describeRules(callRules: CallRules, { nameOf }: PolicyNames): readonly string[] {
  return callRules.map(({ contract, method, where }, index) => {
    const isAlternative = callRules.some(
      (other, at) => at < index && other.contract === contract && other.method === method,
    );
    const calls = `${isAlternative ? 'Or calls' : 'Calls'} of ${method} of ${nameOf(contract)}`;
    return `${calls} are sponsored if ${where.map(describeCondition).join(' and ')}.`;
  });
}

function describeCondition({ argument, is, isNot, atLeast, atMost, in: list }: Condition): string {
  if (is !== undefined) return `${argument} is ${is}`;
  if (isNot !== undefined) return `${argument} is not ${isNot}`;
  if (atLeast !== undefined) return `${argument} is at least ${atLeast}`;
  if (atMost !== undefined) return `${argument} is at most ${atMost}`;
  return `${argument} is one of ${(list ?? []).join(', ')}`;
}
