import type { Address } from 'viem';
import { type Policy, type PolicyLimit, type PolicyPause, policyBounds } from '../domain/policy.ts';
import { invalidField } from '../domain/result/invalid-field.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { parseAddress } from '../domain/values/parse-address.ts';

/** More than there ever is of a coin, in wei; of USD, a billion. */
const maxOf: Readonly<Record<PolicyLimit['unit'], bigint>> = {
  wei: 10n ** 27n,
  usdMicros: 10n ** 15n,
  operations: 10n ** 15n,
};
/** The end of the year 9999, in Unix seconds. */
const maxMoment = 253_402_300_799;
const lastMinute = 1_439;

type Invalid = ReturnType<typeof invalidField>;

/**
 * A policy with its addresses checksummed. `INVALID_FIELD` when it is out of bounds or contradicts itself; fields are
 * named as the management interface names them.
 */
export function checkPolicy(policy: Policy): Result<Policy> {
  const { allowedSenders, blockedSenders, limits, pauses } = policy;
  const invalid =
    checkAmount('maxCostPerOperation.wei', policy.maxCostWei, maxOf.wei) ??
    checkAmount('maxCostPerOperation.usd', policy.maxCostUsdMicros, maxOf.usdMicros, usdRequirement) ??
    checkAmount('maxFeePerGas', policy.maxFeePerGas, maxOf.wei) ??
    checkPeriod(policy) ??
    checkCount('pauses', pauses, policyBounds.pauses) ??
    firstInvalid('pauses', pauses, checkPause) ??
    checkCount('limits', limits, policyBounds.limits) ??
    firstInvalid('limits', limits, (limit, field) => checkLimit(limit, field, limits));
  if (invalid !== undefined) return invalid;
  const blocked = readSenders('blockedSenders', blockedSenders);
  if (!blocked.ok) return blocked;
  if (allowedSenders === undefined) return accept({ ...policy, blockedSenders: blocked.value });
  const allowed = readSenders('allowedSenders', allowedSenders);
  if (!allowed.ok) return allowed;
  return accept({ ...policy, blockedSenders: blocked.value, allowedSenders: allowed.value });
}

const usdRequirement = 'must be an amount of USD from 0 to 1000000000';

function checkAmount(
  field: string,
  amount: bigint | undefined,
  max: bigint,
  requirement = `must be a whole number from 0 to ${max}`,
): Invalid | undefined {
  if (amount === undefined || (amount >= 0n && amount <= max)) return undefined;
  return invalidField(field, requirement);
}

function checkPeriod({ notBefore, notAfter }: Policy): Invalid | undefined {
  for (const [field, moment] of Object.entries({ notBefore, notAfter })) {
    if (moment === undefined) continue;
    if (!isWithin(moment, 0, maxMoment)) return invalidField(field, `must be Unix seconds from 0 to ${maxMoment}`);
  }
  if (notBefore === undefined || notAfter === undefined || notBefore < notAfter) return undefined;
  return invalidField('notAfter', 'must be later than notBefore');
}

function checkPause({ days, from, until }: PolicyPause, field: string): Invalid | undefined {
  if (days.length === 0) return invalidField(`${field}.days`, 'must name at least one day');
  if (!days.every((day) => isWithin(day, 1, 7))) return invalidField(`${field}.days`, 'must be days of the week');
  if (new Set(days).size < days.length) return invalidField(`${field}.days`, 'must name each day once');
  if (!isWithin(from, 0, lastMinute)) return invalidField(`${field}.from`, 'must be a time from 00:00 to 23:59');
  if (!isWithin(until, 0, lastMinute)) return invalidField(`${field}.until`, 'must be a time from 00:00 to 23:59');
  return undefined;
}

function checkLimit(limit: PolicyLimit, field: string, limits: readonly PolicyLimit[]): Invalid | undefined {
  const requirement = limit.unit === 'usdMicros' ? usdRequirement : undefined;
  const invalid = checkAmount(`${field}.max`, limit.max, maxOf[limit.unit], requirement);
  if (invalid !== undefined) return invalid;
  const same = limits.findIndex(
    ({ per, window, unit }) => per === limit.per && window === limit.window && unit === limit.unit,
  );
  return limits[same] === limit
    ? undefined
    : invalidField(field, `must differ from limits[${same}] in per, window or unit`);
}

function checkCount(field: string, items: readonly unknown[], max: number): Invalid | undefined {
  return items.length <= max ? undefined : invalidField(field, `must hold at most ${max} items`);
}

function firstInvalid<T>(
  name: string,
  items: readonly T[],
  check: (item: T, field: string) => Invalid | undefined,
): Invalid | undefined {
  for (const [index, item] of items.entries()) {
    const invalid = check(item, `${name}[${index}]`);
    if (invalid !== undefined) return invalid;
  }
  return undefined;
}

/** The addresses checksummed, each once. */
function readSenders(field: string, senders: readonly Address[]): Result<readonly Address[]> {
  const invalid = checkCount(field, senders, policyBounds.senders);
  if (invalid !== undefined) return invalid;
  const read = new Set<Address>();
  for (const [index, sender] of senders.entries()) {
    const address = parseAddress(sender);
    if (address === undefined) return invalidField(`${field}[${index}]`, 'must be a valid address');
    read.add(address);
  }
  return accept([...read]);
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
