import { z } from 'zod';
import { afterType } from './fields/after-type.ts';
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
import { digitsForm } from './text-field.ts';

/** An answer for a field, wherever in the policy it is: `limits[0].max must be …`. */
export function must(requirement: string) {
  return {
    error: (issue: { readonly path?: readonly PropertyKey[] | undefined }) => `${placeOf(issue.path)} ${requirement}`,
  };
}

function placeOf(path: readonly PropertyKey[] = []): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

/** An object that refuses fields it does not have: a limit under a misspelled name would be no limit. */
export function exactly<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        return `${placeOf([...(issue.path ?? []), printable(issue.keys[0])])} is not known`;
      }
      const place = placeOf(issue.path);
      return place === '' ? 'Request body must be a JSON object' : `${place} must be an object`;
    },
  });
}

/** What a caller sent, fit for a message. */
function printable(key = ''): string {
  return key.slice(0, 50).replace(/[^\w.-]/g, '?');
}

const flag = z.boolean(must('must be a boolean value'));
const weiForm = digitsForm(maxPolicyWei);
const usdForm = new RegExp(`${digitsForm(maxPolicyUsd).source.slice(0, -1)}(\\.\\d{1,${usdDecimals}})?$`);
const mustBeUsd = must(`must be USD with at most ${usdDecimals} decimals, like 0.50`);
const wei = z.string(must('must be a string')).regex(weiForm, must('must be wei in decimal digits'));
/** An amount of USD in decimal text. */
export const usd = z.string(must('must be a string')).regex(usdForm, mustBeUsd);
const gas = z.int(must('must be a whole number')).min(0, must('must be a whole number'));
const mustBeValidity = must(`must be a whole number from ${minValiditySeconds} to ${maxValiditySeconds}`);
const mustBePercent = must(`must be a whole number from ${minUserPaysPercent} to ${maxUserPaysPercent}`);
const moment = z.int(must('must be Unix seconds')).min(0, must('must be Unix seconds'));
const time = z.string(must('must be a string')).regex(/^([01]\d|2[0-3]):[0-5]\d$/, must('must be a time like 22:00'));
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)], must('must be a valid address'));
const senders = z
  .array(address, must('must be an array'))
  .check(afterType(z.maxLength(maxPolicySenders, must(`must hold at most ${maxPolicySenders} items`))));

const tokens = exactly({
  enabled: flag.default(true).describe('Users may pay in tokens.'),
  allowed: z
    .array(address, must('must be an array'))
    .check(afterType(z.maxLength(maxPolicyTokens, must(`must hold at most ${maxPolicyTokens} items`))))
    .default([])
    .describe('The only ones that are taken; with an empty list all of the chain’s.'),
  treasury: address
    .optional()
    .describe('Receives the tokens; without it whom the operator has configured. Changing it needs the scope `funds`.'),
});

export const policyDays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

const pause = exactly({
  days: z
    .array(z.enum(policyDays, must(`must be one of ${policyDays.join(', ')}`)), must('must be an array'))
    .check(afterType(z.maxLength(7, must('must name each day once'))))
    .describe('On which it begins, in UTC.'),
  from: time.describe('UTC, like `22:00`.'),
  until: time.describe('UTC; at or before `from` it is on the next day.'),
});

export const limitPers = ['SENDER', 'SUBJECT', 'TOTAL'] as const;
export const limitWindows = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'EVER'] as const;
export const limitUnits = ['OPERATIONS', 'WEI', 'USD'] as const;

const limitFields = {
  per: z
    .enum(limitPers, must(`must be one of ${limitPers.join(', ')}`))
    .describe('Each sender by itself, each user of a ticket, or all together.'),
  window: z
    .enum(limitWindows, must(`must be one of ${limitWindows.join(', ')}`))
    .describe('Of the UTC calendar; weeks begin on Monday.'),
  unit: z.enum(limitUnits, must(`must be one of ${limitUnits.join(', ')}`)),
  max: z
    .string(must('must be a string of decimal digits, like "100"'))
    .describe(`Decimal digits; of USD with at most ${usdDecimals} decimals.`),
};

function text(max: number) {
  return z
    .string(must('must be a string'))
    .check(
      afterType(z.minLength(1, must('must not be empty'))),
      afterType(z.maxLength(max, must(`must have at most ${max} characters`))),
    );
}

type Amount = { readonly unit: (typeof limitUnits)[number]; readonly max: string };
const wrongUsd = { path: ['max'], ...mustBeUsd };
const wrongNumber = { path: ['max'], ...must('must be a whole number in decimal digits') };
const isUsd = ({ unit, max }: Amount) => unit !== 'USD' || usdForm.test(max);
const isWhole = ({ unit, max }: Amount) => unit === 'USD' || weiForm.test(max);

/** A limit of an apiKey, which is of no contract. */
export const plainLimit = exactly(limitFields).refine(isUsd, wrongUsd).refine(isWhole, wrongNumber);

export const policyLimit = exactly({
  ...limitFields,
  contract: address
    .optional()
    .describe(
      'A registered contract: only operations that call it count. `OPERATIONS` are then its calls, however many are in one operation; `WEI` the whole cost of each operation with such a call.',
    ),
  method: text(maxMethodLength)
    .optional()
    .describe('Of the contract’s ABI: a signature, or a name for all its overloads together.'),
})
  .refine(isUsd, wrongUsd)
  .refine(isWhole, wrongNumber);
const comparedValue = z
  .string(must('must be a string'))
  .check(
    afterType(z.maxLength(maxCallRuleValueLength, must(`must have at most ${maxCallRuleValueLength} characters`))),
  );

export const conditionOperators = ['is', 'isNot', 'atLeast', 'atMost', 'in'] as const;

const condition = exactly({
  argument: text(maxArgumentLength).describe(
    'By name or position, `params.recipient`, `0.1`, `amounts[]` for every element; or `msg.value`, the wei of the call.',
  ),
  is: comparedValue.optional().describe('A number, an address or `msg.sender`, `true` or `false`, hex bytes, text.'),
  isNot: comparedValue.optional().describe('Any other value.'),
  atLeast: comparedValue.optional().describe('A number, itself included.'),
  atMost: comparedValue.optional().describe('A number, itself included.'),
  in: z
    .array(comparedValue, must('must be an array'))
    .check(afterType(z.maxLength(maxCallRuleValues, must(`must hold at most ${maxCallRuleValues} items`))))
    .optional()
    .describe('One of these values.'),
}).refine((fields) => conditionOperators.filter((operator) => fields[operator] !== undefined).length === 1, {
  ...must(`must hold one of ${conditionOperators.join(', ')}`),
});

const callRule = exactly({
  contract: address.describe('A registered contract.'),
  method: text(maxMethodLength).describe('Of its ABI: a name, or the signature where there are overloads.'),
  where: z
    .array(condition, must('must be an array'))
    .check(afterType(z.maxLength(maxCallRuleConditions, must(`must hold at most ${maxCallRuleConditions} items`))))
    .describe('All of these have to be fulfilled.'),
});

export const accountsPolicies = ['KNOWN', 'ANY'] as const;

const maxCostPerOperation = exactly({ wei: wei.optional(), usd: usd.optional() })
  .refine(({ wei, usd }) => wei !== undefined || usd !== undefined, must('must hold wei or usd'))
  .describe(
    `Highest worst case of one operation, in \`wei\` (decimal digits), \`usd\` (at most ${usdDecimals} decimals) or both.`,
  );

/** Fields that are wei: decimal digits here, whole numbers behind the interface. */
const weiFields = {
  maxFeePerGas: wei.optional().describe('Highest `maxFeePerGas`, in wei.'),
};
export const policyWeiFields = Object.keys(weiFields) as readonly (keyof typeof weiFields)[]; // it has no other keys

const policyFields = {
  sponsorAllCalls: flag.default(false).describe('Calls to contracts that are not registered are sponsored too.'),
  allowAccountDeployment: flag.default(false).describe('An operation that only deploys its account is sponsored.'),
  allowRevertingOperations: flag
    .default(false)
    .describe('Operations whose own call reverts are signed; they cost all the same.'),
  accounts: z
    .enum(accountsPolicies, must(`must be ${accountsPolicies.join(' or ')}`))
    .default('KNOWN')
    .describe('Which accounts are sponsored: those whose code is known to make the calls in their `callData`, or any.'),
  maxCostPerOperation: maxCostPerOperation.optional(),
  ...weiFields,
  maxGasPerOperation: gas.optional().describe('Highest sum of the gas limits of one operation, in gas.'),
  maxPreVerificationGas: gas
    .optional()
    .describe(
      'Highest `preVerificationGas` of one sponsored operation, without what a layer 2 charges for data, in gas. The lower of this and the operator’s cap applies.',
    ),
  allowedSenders: senders
    .optional()
    .describe('Only these are sponsored, where given; without it everybody, with an empty list nobody.'),
  blockedSenders: senders.default([]).describe('Never sponsored, even when they are allowed.'),
  requireTicket: flag.default(false).describe('Nothing is sponsored without a ticket; limits per `SUBJECT` need it.'),
  tokens: tokens
    .optional()
    .describe(
      '`enabled` (true): users may pay in tokens. `allowed`: in these only; empty or without it, in all of the chain’s. `treasury`: receives them; without it whom the operator has configured. Changing the treasury needs the scope `funds`.',
    ),
  thenPayInToken: flag
    .default(false)
    .describe(
      'Whom a limit refuses is offered to pay in a token; what else binds sponsored operations then binds paid ones too.',
    ),
  userPaysPercent: z
    .int(mustBePercent)
    .min(minUserPaysPercent, mustBePercent)
    .max(maxUserPaysPercent, mustBePercent)
    .optional()
    .describe(
      'Users pay this part of the gas in a token; the rest is sponsored and counts in limits, budgets and tickets. A whole number of percent from 1 to 99. Without it sponsored mode is free and token mode costs all.',
    ),
  maxValiditySeconds: z
    .int(mustBeValidity)
    .min(minValiditySeconds, mustBeValidity)
    .max(maxValiditySeconds, mustBeValidity)
    .optional()
    .describe(
      'How long signatures may last at most, in seconds, up to a day; the operator says how much of that. Without it as long as the operator lets all. In token mode never longer than that.',
    ),
  notBefore: moment.optional().describe('Unix seconds; before it nothing is sponsored.'),
  notAfter: moment.optional().describe('Unix seconds; from it on nothing is sponsored.'),
  pauses: z
    .array(pause, must('must be an array'))
    .check(afterType(z.maxLength(maxPolicyPauses, must(`must hold at most ${maxPolicyPauses} items`))))
    .default([])
    .describe('Weekly times in which nothing is sponsored, `from` included and `until` not.'),
  limits: z
    .array(policyLimit, must('must be an array'))
    .check(afterType(z.maxLength(maxPolicyLimits, must(`must hold at most ${maxPolicyLimits} items`))))
    .default([])
    .describe(
      'At most so much in each window, of everything or of calls of one `contract` or `method`; what is held for signatures counts, what is given back does not.',
    ),
  callRules: z
    .array(callRule, must('must be an array'))
    .check(afterType(z.maxLength(maxCallRules, must(`must hold at most ${maxCallRules} items`))))
    .default([])
    .describe(
      'Rules on the arguments of calls: a call of a method that has rules has to fulfil every condition of one of them.',
    ),
  ignoreForeignPolicyIds: flag
    .default(false)
    .describe('Of the default policy: a request that names a policy of another service is decided by it, not refused.'),
};

/** A policy with all that is set in it. */
export const PolicySchema = z.object(policyFields);

/** A policy as it is proposed: what is not said is as for a paymaster without one. */
export const PolicyRequestSchema = exactly(policyFields);
