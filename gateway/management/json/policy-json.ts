import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PolicyItem, PolicyPreviewItem } from '@tollfree/contract/policy';
import { type PolicyRequestSchema, policyWeiFields } from '@tollfree/contract/policy-fields';
import type { z } from 'zod';
import type { CallRule, LimitWindow, Policy, PolicyLimit, PolicyPause, Weekday } from '../../../core/domain/policy.ts';
import type { PolicyPreview } from '../../../core/domain/policy-preview.ts';
import { readUsd, usdText } from '../money/usd-text.ts';

type LimitItem = PolicyItem['limits'][number];
type PauseItem = PolicyItem['pauses'][number];
type WeiField = (typeof policyWeiFields)[number];
type DayItem = PauseItem['days'][number];

const days: Readonly<Record<DayItem, Weekday>> = { MON: 1, TUE: 2, WED: 3, THU: 4, FRI: 5, SAT: 6, SUN: 7 };
const dayNames: Readonly<Record<Weekday, DayItem>> = {
  1: 'MON',
  2: 'TUE',
  3: 'WED',
  4: 'THU',
  5: 'FRI',
  6: 'SAT',
  7: 'SUN',
};
const pers: Readonly<Record<LimitItem['per'], PolicyLimit['per']>> = {
  SENDER: 'sender',
  SUBJECT: 'subject',
  TOTAL: 'total',
};
const perNames = { sender: 'SENDER', subject: 'SUBJECT', total: 'TOTAL' } as const;
const windows: Readonly<Record<LimitItem['window'], LimitWindow>> = {
  HOUR: 'hour',
  DAY: 'day',
  WEEK: 'week',
  MONTH: 'month',
  EVER: 'ever',
};
const windowNames = { hour: 'HOUR', day: 'DAY', week: 'WEEK', month: 'MONTH', ever: 'EVER' } as const;
const units: Readonly<Record<LimitItem['unit'], PolicyLimit['unit']>> = {
  OPERATIONS: 'operations',
  WEI: 'wei',
  USD: 'usdMicros',
};
const unitNames = { operations: 'OPERATIONS', wei: 'WEI', usdMicros: 'USD' } as const;

/**
 * The policy that a request proposes, as the contract's schema has read it. Fields that are the same on both sides, and
 * those in wei, are not named here. The checksums of senders are for the core to see.
 */
export function readPolicyRequest(request: z.output<typeof PolicyRequestSchema>): Policy {
  const { maxCostPerOperation: cost, pauses, limits, tokens, callRules, ...fields } = request;
  return {
    ...omitAbsent(mapFields(fields, policyWeiFields, BigInt)),
    ...omitAbsent({
      maxCostWei: cost?.wei === undefined ? undefined : BigInt(cost.wei),
      maxCostUsdMicros: cost?.usd === undefined ? undefined : readUsd(cost.usd),
    }),
    pauses: pauses.map(readPause),
    limits: limits.map(readLimit),
    callRules: callRules.map(({ where, ...rule }) => ({ ...rule, where: where.map(omitAbsent) })),
    ...omitAbsent({ tokens: tokens === undefined ? undefined : omitAbsent(tokens) }),
  };
}

/** A policy as it is answered; taken as a request, it sets the same policy. */
export function policyItem(policy: Policy): PolicyItem {
  const { maxCostWei, maxCostUsdMicros, pauses, limits, tokens, callRules, ...fields } = policy;
  const cost = omitAbsent({
    wei: maxCostWei?.toString(),
    usd: maxCostUsdMicros === undefined ? undefined : usdText(maxCostUsdMicros),
  });
  const item: Answered<PolicyItem> = {
    ...mapFields(fields, policyWeiFields, String),
    ...(Object.keys(cost).length === 0 ? {} : { maxCostPerOperation: cost }),
    pauses: pauses.map(pauseItem),
    limits: limits.map(limitItem),
    callRules: callRules.map(callRuleItem),
    ...omitAbsent({ tokens: tokens === undefined ? undefined : { ...tokens, allowed: [...tokens.allowed] } }),
  };
  return item as PolicyItem; // no one changes what is only written out
}

/** What a proposed policy would change, as it is answered. */
export function policyPreviewItem({ cutOff, letIn, senders, ...preview }: PolicyPreview): PolicyPreviewItem {
  return { ...preview, cutOff: [...cutOff], letIn: [...letIn], senders: [...senders] };
}

/** With lists as the domain has them. */
type Answered<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends (infer Item)[] | undefined
    ? readonly Item[] | Fields[Name]
    : Fields[Name];
};

/** Some fields in their other form, where they are there. */
function mapFields<Fields extends { readonly [Name in WeiField]?: From | undefined }, From, To>(
  fields: Fields,
  names: readonly WeiField[],
  map: (value: From) => To,
): Omit<Fields, WeiField> & { readonly [Name in WeiField]?: To } {
  const { ...mapped }: Record<string, unknown> = fields;
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined) mapped[name] = map(value);
  }
  return mapped as Omit<Fields, WeiField> & { [Name in WeiField]?: To }; // every one of the names was mapped
}

function readPause({ days: names, from, until }: PauseItem): PolicyPause {
  return { days: names.map((name) => days[name]), from: readMinutes(from), until: readMinutes(until) };
}

function pauseItem({ days: numbers, from, until }: PolicyPause): PauseItem {
  return { days: numbers.map((day) => dayNames[day]), from: timeText(from), until: timeText(until) };
}

export function readLimit({ per, window, unit, max, contract, method }: LimitItem): PolicyLimit {
  const amount = unit === 'USD' ? readUsd(max) : BigInt(max);
  const called = omitAbsent({ contract, method });
  return { per: pers[per], window: windows[window], unit: units[unit], max: amount, ...called };
}

export function limitItem({ per, window, unit, max, ...called }: PolicyLimit): LimitItem {
  const amount = unit === 'usdMicros' ? usdText(max) : max.toString();
  return { per: perNames[per], window: windowNames[window], unit: unitNames[unit], max: amount, ...called };
}

function callRuleItem({ where, ...rule }: CallRule): PolicyItem['callRules'][number] {
  return {
    ...rule,
    where: where.map(({ in: list, ...rest }) => (list === undefined ? rest : { ...rest, in: [...list] })),
  };
}

/** Minutes of the day of `22:00`. */
function readMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeText(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
