import type { Scope } from '@tollfree/contract/access/scope';
import {
  maxArgumentLength,
  maxCallRuleConditions,
  maxCallRules,
  maxCallRuleValueLength,
  maxCallRuleValues,
  maxMethodLength,
  maxMoment,
  maxPolicyLimits,
  maxPolicyOperations,
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
} from '@tollfree/contract/limits';
import type { PolicyItem } from '@tollfree/contract/policy';
import { accountsPolicies, conditionOperators, relayPolicies } from '@tollfree/contract/policy-fields';
import type { Address } from 'viem';
import { z } from 'zod';
import { amount, asMessage, within, withTraits, writtenAddress } from '../base/message-schema.ts';
import { parseAddress } from '../base/values/parse-address.ts';

// Each field is defined once here: its form in the domain and as JSON in the store, its bounds, and its default. Reading
// decodes, so that a row without a newer field gets its default; checking and writing encode. The texts are the second half
// of a sentence that begins with the field.

/** An amount that is decimal text in the store. */
export const storedAmount = z.codec(z.string().regex(/^\d{1,40}$/), amount, { decode: BigInt, encode: String });

/** The maximum of each unit, and the error for a larger amount. */
export const amountBounds = {
  wei: { max: maxPolicyWei, error: `must be a whole number from 0 to ${maxPolicyWei}` },
  usdMicros: {
    max: maxPolicyUsd * 10n ** BigInt(usdDecimals),
    error: `must be an amount of USD from 0 to ${maxPolicyUsd}`,
  },
  operations: { max: maxPolicyOperations, error: `must be a whole number from 0 to ${maxPolicyOperations}` },
} as const;

function amountOf(unit: keyof typeof amountBounds) {
  return storedAmount.refine((value) => isWithin(value, unit), { error: amountBounds[unit].error });
}

function isWithin(value: bigint, unit: keyof typeof amountBounds): boolean {
  return value >= 0n && value <= amountBounds[unit].max;
}

function wholeNumber(min: number, max: number, error: string) {
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }));
}

/** A list with at most this many items. */
function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z
    .array(item)
    .max(max, { error: `must hold at most ${max} items` })
    .readonly();
}

/** Addresses, stored checksummed and without duplicates. Checksums are only checked at writing. */
function addresses(max: number) {
  return z.codec(
    z.array(z.string().regex(/^0x[0-9a-fA-F]{40}$/)),
    z
      .array(writtenAddress)
      .max(max, { error: `must hold at most ${max} items` })
      .readonly(),
    {
      decode: (texts) => texts as Address[], // of the form that was checked
      encode: (sent, { issues }) => {
        const read = new Set<string>();
        for (const [index, text] of sent.entries()) {
          const address = parseAddress(text);
          if (address !== undefined) read.add(address);
          else issues.push({ code: 'custom', path: [index], input: text, message: 'must be a valid address' });
        }
        return [...read];
      },
    },
  );
}
const senders = addresses(maxPolicySenders);

/** A nonzero address, stored checksummed. */
const nonZeroAddress = z.codec(z.string().regex(/^0x[0-9a-fA-F]{40}$/), writtenAddress, {
  decode: (text) => text as Address, // of the form that was checked
  encode: (sent, { issues }) => {
    const address = parseAddress(sent);
    if (address !== undefined) return address;
    issues.push({ code: 'custom', input: sent, message: 'must be a valid address' });
    return sent;
  },
});

/**
 * Whether users may pay in tokens, in which of the chain's tokens (all if the list is empty), and who receives them (by
 * default the operator's token recipient for the paymaster contract).
 */
const tokens = asMessage(
  'PolicyTokens',
  z
    .strictObject({
      enabled: z.boolean().default(true),
      allowed: addresses(maxPolicyTokens).default([]),
      tokenRecipient: nonZeroAddress.exactOptional(),
    })
    .readonly(),
);
type PolicyTokens = z.output<typeof tokens>;
const moment = withTraits(wholeNumber(0, maxMoment, `must be Unix seconds from 0 to ${maxMoment}`), {
  scalar: 'seconds',
});
/** No block of any chain has as much. */
const maxGas = 2 ** 32 - 1;
const gas = wholeNumber(0, maxGas, `must be a whole number from 0 to ${maxGas}`);
const minuteOfDay = wholeNumber(0, 24 * 60 - 1, 'must be a time from 00:00 to 23:59');

/** ISO weekdays: Monday is 1, Sunday 7. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
export type Weekday = (typeof weekdays)[number];
const weekday = z.literal(weekdays, { error: 'must be a day of the week, 1 to 7' });

/**
 * A weekly pause of sponsoring, in minutes of the UTC day, `from` inclusive and `until` exclusive. If `until` is not after
 * `from`, the pause continues into the next day.
 */
const pause = asMessage(
  'PolicyPause',
  z
    .strictObject({
      days: z
        .array(weekday)
        .min(1, { error: 'must name at least one day' })
        .refine((days) => new Set(days).size === days.length, { error: 'must name each day once' })
        .readonly(),
      from: minuteOfDay,
      until: minuteOfDay,
    })
    .readonly(),
);
export type PolicyPause = z.output<typeof pause>;

/** A period of UTC calendar time in which a limit counts; weeks begin on Monday, `ever` never ends. */
export const limitWindows = ['hour', 'day', 'week', 'month', 'ever'] as const;
export type LimitWindow = (typeof limitWindows)[number];

/** What a limit counts together: each sender's sponsorships, each ticket user's, or all of the paymaster's. */
export const limitScopes = ['sender', 'subject', 'total'] as const;
export type LimitScope = (typeof limitScopes)[number];

function text(max: number) {
  const error = `must have 1 to ${max} characters`;
  return z.string().min(1, { error }).max(max, { error });
}

/** What a limit counts: operations, wei, or millionths of a USD. */
export const limitUnits = ['operations', 'wei', 'usdMicros'] as const;

/**
 * The maximum in each window: operations, wei, or millionths of a USD. It counts what is held for signatures that may still
 * land, and the cost of landed ones; released holds are given back. `sender` limits count each sender separately, `subject`
 * limits each user named in tickets, `total` limits all of the paymaster's sponsorships together.
 *
 * A limit on a `contract`, or on a `method` of it, applies only to operations that call it. `operations` then are the calls,
 * so that a batch cannot bypass it, and `wei` is the whole cost of every operation with such a call.
 */
const limit = asMessage(
  'PolicyLimit',
  z
    .strictObject({
      per: z.enum(limitScopes),
      window: z.enum(limitWindows),
      unit: z.enum(limitUnits),
      max: storedAmount,
      contract: nonZeroAddress.exactOptional(),
      method: text(maxMethodLength).exactOptional(),
    })
    .check(({ value: { unit, max }, issues }) => {
      if (isWithin(max, unit)) return;
      issues.push({ code: 'custom', path: ['max'], input: max, message: amountBounds[unit].error });
    })
    .refine(({ contract, method }) => method === undefined || contract !== undefined, {
      path: ['contract'],
      error: 'is required if a method is named',
    })
    .refine(({ contract, unit }) => contract === undefined || unit !== 'usdMicros', {
      path: ['unit'],
      error: 'must be OPERATIONS or WEI in a limit of a contract',
    })
    .readonly(),
);
export type PolicyLimit = z.output<typeof limit>;

/** No two of them count the same. */
const limits = listOf(limit, maxPolicyLimits).check(({ value, issues }) => {
  for (const [index, { per, window, unit, contract, method }] of value.entries()) {
    const same = value.findIndex(
      (one) =>
        one.per === per &&
        one.window === window &&
        one.unit === unit &&
        one.contract?.toLowerCase() === contract?.toLowerCase() &&
        one.method === method,
    );
    if (same === index) continue;
    const message = `must differ from limits[${same}] in per, window, unit, contract or method`;
    issues.push({ code: 'custom', path: [index], input: value[index], message });
  }
});

const comparedValue = z
  .string()
  .max(maxCallRuleValueLength, { error: `must have at most ${maxCallRuleValueLength} characters` });

/**
 * A condition on a call: its `argument` by name or position, or `msg.value`, with one comparison. Values are text, whose
 * form depends on the type of the argument.
 */
const condition = asMessage(
  'PolicyCondition',
  z
    .strictObject({
      argument: text(maxArgumentLength),
      is: comparedValue.exactOptional(),
      isNot: comparedValue.exactOptional(),
      atLeast: comparedValue.exactOptional(),
      atMost: comparedValue.exactOptional(),
      in: within(
        'values',
        z.array(comparedValue).min(1, { error: 'must hold at least one value' }).readonly(),
        'StringList',
      ).exactOptional(),
    })
    .refine((fields) => conditionOperators.filter((operator) => fields[operator] !== undefined).length === 1, {
      error: 'must hold one of is, isNot, atLeast, atMost and in',
    })
    .readonly(),
);
export type CallCondition = z.output<typeof condition>;

/** Calls of this method of a registered contract must fulfil all of `where`, or all of another rule of the method. */
const callRule = asMessage(
  'PolicyCallRule',
  z
    .strictObject({
      contract: nonZeroAddress,
      method: text(maxMethodLength),
      where: listOf(condition, maxCallRuleConditions).refine((where) => where.length > 0, {
        error: 'must hold at least one condition',
      }),
    })
    .readonly(),
);
export type CallRule = z.output<typeof callRule>;

const callRules = listOf(callRule, maxCallRules).refine(
  (rules) =>
    rules.flatMap(({ where }) => where.map(countValues)).reduce((sum, count) => sum + count, 0) <= maxCallRuleValues,
  { error: `must hold at most ${maxCallRuleValues} values together` },
);

function countValues({ in: list }: CallCondition): number {
  return list?.length ?? 1;
}

/** A cap on the `callGasLimit` of every operation that calls this contract, or this method of it. */
const methodGas = asMessage(
  'PolicyMethodGas',
  z
    .strictObject({ contract: nonZeroAddress, method: text(maxMethodLength).exactOptional(), maxCallGas: gas })
    .readonly(),
);
export type PolicyMethodGas = z.output<typeof methodGas>;

/** What a paymaster's owner allows to be sponsored, in addition to the registered contracts and the webhooks. */
export const PolicySchema = asMessage(
  'Policy',
  z
    .strictObject({
      /** Also sponsors calls to contracts that are not registered. */
      sponsorAllCalls: z.boolean().default(false),
      /** Sponsors an operation that only deploys its account, without calls. */
      allowAccountDeployment: z.boolean().default(false),
      /** Signs operations whose own call reverts; they still cost the sponsor gas. */
      allowRevertingOperations: z.boolean().default(false),
      /** Whether operations are relayed without the paymaster contract, if the chain supports it. */
      relay: z.enum(relayPolicies, { error: 'must be NEVER, PREFER or ONLY' }).default('NEVER'),
      /** `ANY` trusts accounts to make the calls in their `callData`. */
      accounts: z.enum(accountsPolicies, { error: 'must be KNOWN or ANY' }).default('KNOWN'),
      /** Highest worst case of one operation, in wei. */
      maxCostWei: amountOf('wei').exactOptional(),
      /** Highest worst case of one operation, in millionths of a USD. */
      maxCostUsdMicros: amountOf('usdMicros').exactOptional(),
      /** Highest `maxFeePerGas`, in wei. */
      maxFeePerGas: amountOf('wei').exactOptional(),
      /** Highest sum of the gas limits of one operation, including the paymaster's own, in gas. */
      maxGasPerOperation: gas.exactOptional(),
      /** Highest `preVerificationGas` of one operation, excluding the data fee of a layer 2, in gas. */
      maxPreVerificationGas: gas.exactOptional(),
      /** If given, only these senders are sponsored. */
      allowedSenders: within('values', senders, 'StringList').exactOptional(),
      blockedSenders: senders.default([]),
      /** Nothing is sponsored without a ticket from one of the paymaster's ticket keys. */
      requireTicket: z.boolean().default(false),
      /** The tokens in which users may pay; all of the chain's when absent. */
      tokens: tokens.exactOptional(),
      /**
       * A user refused by an exhausted limit or budget may pay in one of `tokens` instead; contracts, methods, rules,
       * webhooks and accounts then bind paid operations like sponsored ones.
       */
      thenPayInToken: z.boolean().default(false),
      /**
       * Users pay this part of the gas in a token, in percent; the rest is sponsored, and counts. Sponsored mode is then
       * refused. Contracts, methods, rules, webhooks and accounts bind these operations like sponsored ones.
       */
      userPaysPercent: wholeNumber(
        minUserPaysPercent,
        maxUserPaysPercent,
        `must be a whole number from ${minUserPaysPercent} to ${maxUserPaysPercent}`,
      ).exactOptional(),
      /** Longest lifetime of signatures, in seconds; the operator's general maximum when absent. */
      maxValiditySeconds: wholeNumber(
        minValiditySeconds,
        maxValiditySeconds,
        `must be a whole number from ${minValiditySeconds} to ${maxValiditySeconds}`,
      ).exactOptional(),
      /** Unix seconds; nothing is sponsored before. */
      notBefore: moment.exactOptional(),
      /** Unix seconds; nothing is sponsored from then on. */
      notAfter: moment.exactOptional(),
      pauses: listOf(pause, maxPolicyPauses).default([]),
      limits: limits.default([]),
      /** For the default policy: it also applies when a request names a policy id that cannot be one of ours. */
      ignoreForeignPolicyIds: z.boolean().default(false),
      /** Conditions on calls of certain methods. */
      callRules: callRules.default([]),
      /** The version of the policy in force, and in a change the one that it replaces. It is not stored. */
      etag: z.string().exactOptional(),
      /** Caps on the gas of operations that call certain methods. */
      methodGas: listOf(methodGas, maxPolicyLimits).default([]),
    })
    .refine(({ notBefore = -1, notAfter = Infinity }) => notBefore < notAfter, {
      path: ['notAfter'],
      error: 'must be later than notBefore',
    })
    .refine(({ requireTicket, limits }) => requireTicket || limits.every(({ per }) => per !== 'subject'), {
      path: ['limits'],
      error: 'per SUBJECT need requireTicket, because only a ticket identifies the user',
    })
    .refine(({ thenPayInToken, tokens }) => !thenPayInToken || tokens?.enabled !== false, {
      path: ['thenPayInToken'],
      error: 'needs tokens.enabled: without it no one may pay in tokens',
    })
    .refine(({ userPaysPercent, tokens }) => userPaysPercent === undefined || tokens?.enabled !== false, {
      path: ['userPaysPercent'],
      error: 'needs tokens.enabled. Without it users cannot pay a share',
    })
    .readonly(),
);
export type Policy = z.output<typeof PolicySchema>;

/**
 * The scope that changing each field of a policy requires: `funds` if the field determines who receives money, else
 * `manage`. A rule on what is sponsored only spends from the tank and pays no one. The type requires a scope for every
 * field, and that the contract and the core have the same fields.
 */
export const policyScopes = {
  sponsorAllCalls: 'manage',
  allowAccountDeployment: 'manage',
  allowRevertingOperations: 'manage',
  accounts: 'manage',
  relay: 'manage',
  maxCostWei: 'manage',
  maxCostUsdMicros: 'manage',
  maxFeePerGas: 'manage',
  maxGasPerOperation: 'manage',
  maxPreVerificationGas: 'manage',
  allowedSenders: 'manage',
  blockedSenders: 'manage',
  requireTicket: 'manage',
  tokens: { enabled: 'manage', allowed: 'manage', tokenRecipient: 'funds' },
  thenPayInToken: 'manage',
  userPaysPercent: 'manage',
  maxValiditySeconds: 'manage',
  notBefore: 'manage',
  notAfter: 'manage',
  methodGas: 'manage',
  pauses: 'manage',
  limits: 'manage',
  ignoreForeignPolicyIds: 'manage',
  callRules: 'manage',
} as const satisfies {
  readonly [Field in Exclude<keyof Policy | FieldOfContract, 'etag'>]-?: Field extends keyof Policy & FieldOfContract
    ? Field extends 'tokens'
      ? Readonly<Record<keyof PolicyTokens, Scope>>
      : Scope
    : never;
};

/** The contract's fields by their names in the core, which has two for `maxCostPerOperation`. */
type FieldOfContract = Exclude<keyof PolicyItem, 'maxCostPerOperation'> | 'maxCostWei' | 'maxCostUsdMicros';

/** The policy of a paymaster whose owner has set none. */
export const defaultPolicy: Policy = PolicySchema.parse({});
