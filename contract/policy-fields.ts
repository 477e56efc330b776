import { z } from 'zod';
import { etag, etagToMatch } from './fields/etag.ts';
import { exactly, must } from './fields/exactly.ts';
import { afterType, type Fields, withForm, withObjectForm } from './fields/form.ts';
import { decimalForm, namedForm, readUsd, upperCaseForm, usdForm, usdText } from './fields/forms.ts';
import {
  maxArgumentLength,
  maxCallRuleConditions,
  maxCallRules,
  maxCallRuleValueLength,
  maxCallRuleValues,
  maxMethodLength,
  maxPolicyLimits,
  maxPolicyPauses,
  maxPolicySenders,
  maxPolicyTokens,
  maxPolicyUsd,
  maxPolicyWei,
  maxUserPaysPercent,
  maxValiditySeconds,
  minUserPaysPercent,
  minValiditySeconds,
  usdDecimals,
} from './limits.ts';
import { omitAbsent } from './omit-absent.ts';
import { digitsForm } from './text-field.ts';

/** A list of at most `max` items. */
export function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z
    .array(item, must('must be an array'))
    .check(afterType(z.maxLength(max, must(`must hold at most ${max} items`))));
}

/** A text of at most `max` characters. */
export function textUpTo(max: number) {
  return z
    .string(must('must be a string'))
    .check(afterType(z.maxLength(max, must(`must have at most ${max} characters`))));
}

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  const error = must(`must be a whole number from ${min} to ${max}`);
  return z.int(error).min(min, error).max(max, error);
}

const flag = z.boolean(must('must be a boolean value'));
const weiForm = digitsForm(maxPolicyWei);
const usdPattern = new RegExp(`${digitsForm(maxPolicyUsd).source.slice(0, -1)}(\\.\\d{1,${usdDecimals}})?$`);
const mustBeUsd = must(`must be USD with at most ${usdDecimals} decimals, like 0.50`);
const wei = withForm(
  z.string(must('must be a string')).regex(weiForm, must('must be wei in decimal digits')),
  decimalForm,
);
/** An amount of USD in decimal text. */
export const usd = withForm(z.string(must('must be a string')).regex(usdPattern, mustBeUsd), usdForm);
const gas = z.int(must('must be a whole number')).min(0, must('must be a whole number'));
const moment = z.int(must('must be Unix seconds')).min(0, must('must be Unix seconds'));
const time = withForm(
  z.string(must('must be a string')).regex(/^([01]\d|2[0-3]):[0-5]\d$/, must('must be a time like 22:00')),
  { read: readMinutes, write: timeText },
);

/** Minutes of the day for a time like `22:00`. */
function readMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeText(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)], must('must be a valid address'));
const senders = listOf(address, maxPolicySenders);

const tokens = exactly({
  enabled: flag.default(true).describe('Users may pay in tokens.'),
  allowed: listOf(address, maxPolicyTokens)
    .default([])
    .describe('Accepted tokens. With an empty list, all of the chain’s tokens are accepted.'),
  tokenRecipient: address
    .optional()
    .describe(
      'Receives the tokens. Absent: the address the operator has configured. Changing it needs the scope `funds`.',
    ),
});

export const policyDays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

/** ISO weekdays in the core: Monday is 1. */
const day = withForm(
  z.enum(policyDays, must(`must be one of ${policyDays.join(', ')}`)),
  namedForm(Object.fromEntries(policyDays.map((name, index) => [name, index + 1]))),
);

const pause = exactly({
  days: z
    .array(day, must('must be an array'))
    .check(afterType(z.maxLength(7, must('must name each day once'))))
    .describe('Days on which the pause begins, in UTC.'),
  from: time.describe('UTC, like `22:00`.'),
  until: time.describe('UTC. If it is at or before `from`, the pause ends on the next day.'),
});

export const limitPers = ['SENDER', 'SUBJECT', 'TOTAL'] as const;
export const limitWindows = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'EVER'] as const;
export const limitUnits = ['OPERATIONS', 'WEI', 'USD'] as const;

const limitFields = {
  per: withForm(z.enum(limitPers, must(`must be one of ${limitPers.join(', ')}`)), upperCaseForm).describe(
    'Counts per sender, per user of a ticket, or in total.',
  ),
  window: withForm(z.enum(limitWindows, must(`must be one of ${limitWindows.join(', ')}`)), upperCaseForm).describe(
    'Windows follow the UTC calendar; weeks begin on Monday.',
  ),
  unit: withForm(
    z.enum(limitUnits, must(`must be one of ${limitUnits.join(', ')}`)),
    namedForm({ OPERATIONS: 'operations', WEI: 'wei', USD: 'usdMicros' }),
  ),
  max: z
    .string(must('must be a string of decimal digits, like "100"'))
    .describe(`Decimal digits; for USD at most ${usdDecimals} decimals.`),
};

function text(max: number) {
  return textUpTo(max).check(afterType(z.minLength(1, must('must not be empty'))));
}

type Amount = { readonly unit: (typeof limitUnits)[number]; readonly max: string };
const wrongUsd = { path: ['max'], ...mustBeUsd };
const wrongNumber = { path: ['max'], ...must('must be a whole number in decimal digits') };
const isUsd = ({ unit, max }: Amount) => unit !== 'USD' || usdPattern.test(max);
const isWhole = ({ unit, max }: Amount) => unit === 'USD' || weiForm.test(max);

/** The unit determines the form of `max`. */
export const limitForm = {
  read: ({ max, ...limit }: Fields): Fields => ({
    ...limit,
    max: limit.unit === 'usdMicros' ? readUsd(max) : BigInt(max),
  }),
  write: ({ max, ...limit }: Fields): Fields => ({
    ...limit,
    max: limit.unit === 'usdMicros' ? usdText(max) : String(max),
  }),
};

/** A limit of an apiKey, which cannot name a contract. */
export const plainLimit = exactly(limitFields).refine(isUsd, wrongUsd).refine(isWhole, wrongNumber);

export const policyLimit = withObjectForm(
  exactly({
    ...limitFields,
    contract: address
      .optional()
      .describe(
        'A registered contract. Only operations that call it count. `OPERATIONS` then counts every call to it, even within one operation. `WEI` counts the whole cost of each operation that calls it.',
      ),
    method: text(maxMethodLength)
      .optional()
      .describe('A method of the contract’s ABI: a signature, or a name for all its overloads together.'),
  })
    .refine(isUsd, wrongUsd)
    .refine(isWhole, wrongNumber),
  limitForm,
);
const comparedValue = textUpTo(maxCallRuleValueLength);

/** How a condition compares an argument: with one value, or with each of a list. */
export const conditionOperators = ['is', 'isNot', 'atLeast', 'atMost', 'in'] as const;

const condition = exactly({
  argument: text(maxArgumentLength).describe(
    'Argument by name or position: `params.recipient`, `0.1`, `amounts[]` for every element; or `msg.value`, the wei of the call.',
  ),
  is: comparedValue
    .optional()
    .describe('The required value: a number, an address or `msg.sender`, `true` or `false`, hex bytes, or text.'),
  isNot: comparedValue.optional().describe('Any value except this one.'),
  atLeast: comparedValue.optional().describe('Minimum, inclusive. A number.'),
  atMost: comparedValue.optional().describe('Maximum, inclusive. A number.'),
  in: listOf(comparedValue, maxCallRuleValues).optional().describe('One of these values.'),
}).refine((fields) => conditionOperators.filter((operator) => fields[operator] !== undefined).length === 1, {
  ...must(`must hold one of ${conditionOperators.join(', ')}`),
});

const callRule = exactly({
  contract: address.describe('A registered contract.'),
  method: text(maxMethodLength).describe('A method of its ABI: a name, or a signature if there are overloads.'),
  where: listOf(condition, maxCallRuleConditions).describe('All of these must hold.'),
});

const methodGas = exactly({
  contract: address.describe('A registered contract.'),
  method: text(maxMethodLength)
    .optional()
    .describe('A method of its ABI: a signature, or a name for all its overloads. Absent: every call of the contract.'),
  maxCallGas: gas.describe('Highest `callGasLimit` of an operation that calls it, in gas.'),
});

export const accountsPolicies = ['KNOWN', 'ANY'] as const;
export const relayPolicies = ['NEVER', 'PREFER', 'ONLY'] as const;

const maxCostPerOperation = exactly({ wei: wei.optional(), usd: usd.optional() })
  .refine(({ wei, usd }) => wei !== undefined || usd !== undefined, must('must hold wei or usd'))
  .describe(
    `Highest maximum cost of one operation, in \`wei\` (decimal digits), \`usd\` (at most ${usdDecimals} decimals) or both. A new paymaster starts with one that follows from the chain’s gas price.`,
  );

const policyFields = {
  sponsorAllCalls: flag.default(false).describe('Calls to unregistered contracts are sponsored too.'),
  allowAccountDeployment: flag.default(false).describe('Operations that only deploy the account are sponsored.'),
  allowRevertingOperations: flag
    .default(false)
    .describe('Operations whose own call reverts are sponsored. They still cost gas.'),
  accounts: z
    .enum(accountsPolicies, must(`must be ${accountsPolicies.join(' or ')}`))
    .default('KNOWN')
    .describe(
      'Which accounts are sponsored: `KNOWN` accepts only accounts with known code that runs the calls in `callData`. `ANY` accepts all.',
    ),
  relay: z
    .enum(relayPolicies, must('must be NEVER, PREFER or ONLY'))
    .default('NEVER')
    .describe(
      'Whether the operator’s bundler relays operations without fees and paymaster: `NEVER`, where the client sends one (`PREFER`), or in no other way (`ONLY`).',
    ),
  maxCostPerOperation: maxCostPerOperation.optional(),
  maxFeePerGas: wei
    .optional()
    .describe(
      'Highest `maxFeePerGas`, in wei. Of a relayed operation: the highest price of gas that its bundle may pay.',
    ),
  maxGasPerOperation: gas.optional().describe('Highest sum of the gas limits of one operation, in gas.'),
  maxPreVerificationGas: gas
    .optional()
    .describe(
      'Highest `preVerificationGas` of one operation, in gas, without a layer 2’s data fee. The operator may cap it lower.',
    ),
  allowedSenders: senders
    .optional()
    .describe('Only these senders are sponsored. Absent: everyone. Empty list: no one.'),
  blockedSenders: senders.default([]).describe('Never sponsored, even if they are also allowed.'),
  requireTicket: flag.default(false).describe('Every request needs a ticket. Required for limits per `SUBJECT`.'),
  tokens: tokens
    .optional()
    .describe(
      '`enabled` (true): users may pay in tokens. `allowed`: the accepted tokens; empty or absent: all of the chain’s. `tokenRecipient`: receives the tokens; absent: the address the operator has configured. Changing the token recipient needs the scope `funds`.',
    ),
  thenPayInToken: flag
    .default(false)
    .describe(
      'If a limit refuses an operation, the user may pay in a token. All other rules for sponsored operations then bind paid ones too.',
    ),
  userPaysPercent: wholeNumber(minUserPaysPercent, maxUserPaysPercent)
    .optional()
    .describe(
      'A whole percentage of the gas, 1 to 99, that users pay in a token. The rest is sponsored and counts in limits, budgets and tickets. Absent: sponsored mode is free, and users pay everything in token mode.',
    ),
  maxValiditySeconds: wholeNumber(minValiditySeconds, maxValiditySeconds)
    .optional()
    .describe(
      'Longest validity of a signature, in seconds, up to a day. The operator may cap it lower. Absent, and in token mode at most: the operator’s default.',
    ),
  notBefore: moment.optional().describe('Unix seconds. Nothing is sponsored before this time.'),
  notAfter: moment.optional().describe('Unix seconds. Nothing is sponsored from this time on.'),
  pauses: listOf(pause, maxPolicyPauses)
    .default([])
    .describe('Weekly times without sponsorship; `from` is included, `until` is not.'),
  limits: listOf(policyLimit, maxPolicyLimits)
    .default([])
    .describe(
      'The most in each window, for all operations or for calls of one `contract` or `method`. Open holds count; released ones do not.',
    ),
  callRules: listOf(callRule, maxCallRules)
    .default([])
    .describe(
      'Rules on the arguments of calls. Each call of a method with rules must meet every condition of at least one.',
    ),
  methodGas: listOf(methodGas, maxPolicyLimits)
    .default([])
    .describe(
      'Caps on the `callGasLimit` of operations that call one `contract` or `method`, such as one that calls an address of the caller’s choice.',
    ),
  ignoreForeignPolicyIds: flag
    .default(false)
    .describe(
      'Only for the default policy: requests that name a policy of another service are decided by the default policy instead of refused.',
    ),
};

/** The core has two separate fields for `maxCostPerOperation`. */
const policyForm = {
  read: ({ maxCostPerOperation: cost, ...policy }: Fields) => ({
    ...policy,
    ...omitAbsent({ maxCostWei: cost?.wei, maxCostUsdMicros: cost?.usdMicros }),
  }),
  write: ({ maxCostWei: wei, maxCostUsdMicros: usdMicros, ...policy }: Fields) => ({
    ...policy,
    ...(wei === undefined && usdMicros === undefined ? {} : { maxCostPerOperation: { wei, usdMicros } }),
  }),
};

/** A policy with all its fields. */
export const PolicySchema = withObjectForm(z.object(policyFields), policyForm);

/** A policy in force, with its version. */
export const PolicyInForceSchema = withObjectForm(z.object({ ...policyFields, etag }), policyForm);

/** A proposed policy: omitted fields are as in an empty policy. */
export const PolicyRequestSchema = withObjectForm(exactly(policyFields), policyForm);

/** A proposed policy for the one in force. It takes the answer to a read, whose `etag` makes the change depend on it. */
export const DefaultPolicyRequestSchema = withObjectForm(exactly({ ...policyFields, etag: etagToMatch }), policyForm);
