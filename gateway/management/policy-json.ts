import type { Address } from 'viem';
import { omitAbsent } from '../../contract/omit-absent.ts';
import type { PolicyItem, PolicyRequest } from '../../contract/policy.ts';
import type { LimitWindow, Policy, PolicyLimit, PolicyPause, Weekday } from '../../core/domain/policy.ts';
import { readUsd, usdText } from './usd-text.ts';

type LimitItem = PolicyItem['limits'][number];
type PauseItem = PolicyItem['pauses'][number];
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
const pers: Readonly<Record<LimitItem['per'], PolicyLimit['per']>> = { SENDER: 'sender', TOTAL: 'total' };
const perNames = { sender: 'SENDER', total: 'TOTAL' } as const;
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
 * The policy that a request proposes; what it does not say is as for a paymaster without one. The contract's schema has
 * checked that senders are 20 bytes in hex; their checksums are for the core to see.
 */
export function readPolicyRequest(request: PolicyRequest): Policy {
  const { maxCostPerOperation: cost, maxFeePerGas, allowedSenders, notBefore, notAfter } = request;
  return {
    sponsorAllCalls: request.sponsorAllCalls ?? false,
    allowAccountDeployment: request.allowAccountDeployment ?? false,
    allowRevertingOperations: request.allowRevertingOperations ?? false,
    ...omitAbsent({
      maxCostWei: cost?.wei === undefined ? undefined : BigInt(cost.wei),
      maxCostUsdMicros: cost?.usd === undefined ? undefined : readUsd(cost.usd),
      maxFeePerGas: maxFeePerGas === undefined ? undefined : BigInt(maxFeePerGas),
      allowedSenders: allowedSenders === undefined ? undefined : (allowedSenders as Address[]),
    }),
    blockedSenders: (request.blockedSenders ?? []) as Address[],
    ...omitAbsent({ notBefore, notAfter }),
    pauses: (request.pauses ?? []).map(readPause),
    limits: (request.limits ?? []).map(readLimit),
  };
}

/** A policy as it is answered; taken as a request, it sets the same policy. */
export function policyItem(policy: Policy): PolicyItem {
  const { maxCostWei, maxCostUsdMicros, maxFeePerGas, allowedSenders, notBefore, notAfter } = policy;
  const cost = omitAbsent({
    wei: maxCostWei?.toString(),
    usd: maxCostUsdMicros === undefined ? undefined : usdText(maxCostUsdMicros),
  });
  return {
    sponsorAllCalls: policy.sponsorAllCalls,
    allowAccountDeployment: policy.allowAccountDeployment,
    allowRevertingOperations: policy.allowRevertingOperations,
    ...(Object.keys(cost).length === 0 ? {} : { maxCostPerOperation: cost }),
    ...omitAbsent({
      maxFeePerGas: maxFeePerGas?.toString(),
      allowedSenders: allowedSenders === undefined ? undefined : [...allowedSenders],
    }),
    blockedSenders: [...policy.blockedSenders],
    ...omitAbsent({ notBefore, notAfter }),
    pauses: policy.pauses.map(pauseItem),
    limits: policy.limits.map(limitItem),
  };
}

function readPause({ days: names, from, until }: PauseItem): PolicyPause {
  return { days: names.map((name) => days[name]), from: readMinutes(from), until: readMinutes(until) };
}

function pauseItem({ days: numbers, from, until }: PolicyPause): PauseItem {
  return { days: numbers.map((day) => dayNames[day]), from: timeText(from), until: timeText(until) };
}

function readLimit({ per, window, unit, max }: LimitItem): PolicyLimit {
  const amount = unit === 'USD' ? readUsd(max) : BigInt(max);
  return { per: pers[per], window: windows[window], unit: units[unit], max: amount };
}

function limitItem({ per, window, unit, max }: PolicyLimit): LimitItem {
  const amount = unit === 'usdMicros' ? usdText(max) : max.toString();
  return { per: perNames[per], window: windowNames[window], unit: unitNames[unit], max: amount };
}

/** Minutes of the day of `22:00`. */
function readMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeText(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
