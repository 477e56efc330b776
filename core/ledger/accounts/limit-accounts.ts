import { maxTicketLifetimeSeconds } from '@tollfree/contract/limits';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { type CalledCounts, calledKey } from '../../policies/called-limits.ts';
import { windowEnd, windowStart } from '../../policies/limit-window.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { AccountName } from './ledger-accounts.ts';
import { timesCode } from './legs.ts';
import { type LimitNumbers, ownerOfKey, ownerOfPolicy } from './limit-numbers.ts';

/** Whom limits count a hold for. */
export type CountKey = PolicyKey & {
  readonly sender: string;
  readonly keyNumber: number;
  /** Whose ticket, and which one where that is counted: digests. */
  readonly ticketUser?: string;
  readonly ticket?: string;
  /** Of a request whose ticket is counted: when that ends, in Unix seconds. */
  readonly ticketEndsAt?: number;
};

/** How long the account of a window outlives it, in seconds: its last holds have ended by then. */
export const windowOutlives = 2 * secondsPerDay;
/** How long that of a ticket outlives it: all tickets that an application issued with the same `jti` have ended by then. */
export const ticketOutlives = maxTicketLifetimeSeconds;

/** What accounts of tickets begin with; the paymaster follows. */
export const ticketPrefix = 'ticket/';

/** The name of the account in which a limit counts a hold that is made at `now` (Unix seconds). */
export function limitAccount(
  limit: CountedLimit,
  hold: CountKey,
  { numbers, now }: { readonly numbers: Pick<LimitNumbers, 'of'>; readonly now: number },
): AccountName {
  const { per, window, unit } = limit;
  if (per === 'ticket') {
    const keptUntil = (hold.ticketEndsAt ?? now) + ticketOutlives;
    return { name: `${ticketPrefix}${hold.paymasterId}/${hold.ticket ?? ''}/${unit}`, keptUntil };
  }
  const owner = per === 'key' ? ownerOfKey(hold.paymasterId, hold.keyNumber) : ownerOfPolicy(hold);
  return windowAccount(numbers.of(owner, limit), whoseOf(per, hold), window, now);
}

/** Whom a limit counts by itself: a hold's sender or the user of its ticket. Empty where it counts all together. */
export function whoseOf(per: CountedLimit['per'], { sender, ticketUser = '' }: CountKey): string {
  if (per === 'sender') return sender;
  return per === 'subject' ? ticketUser : '';
}

/** The name of the account of a numbered limit or budget in its window. */
export function windowAccount(
  limitId: number,
  whose: string,
  window: CountedLimit['window'],
  now: number,
): AccountName {
  const start = windowStart(window, now);
  const end = windowEnd(window, start);
  const name = `${limitPrefix(limitId)}${whose}/${start}`;
  return end === undefined ? { name } : { name, keptUntil: end + windowOutlives };
}

/** What the names of a limit's accounts begin with. */
export function limitPrefix(limitId: number): string {
  return `limit/${limitId}/`;
}

/** What is behind all names with that beginning: `0` is the character behind `/`. */
export function limitPrefixEnd(limitId: number): string {
  return `limit/${limitId}0`;
}

/** What a limit counts of a hold with these calls: undefined where it counts none of it. */
export function limitCode(limit: CountedLimit, calls: CalledCounts): string | undefined {
  const called = calledKey(limit);
  const times = called === undefined ? 1 : (calls.get(called) ?? 0);
  if (times === 0) return undefined;
  if (limit.unit === 'operations') return timesCode(times);
  return limit.unit === 'wei' ? 'w' : 'u';
}

/** How much an account counts, in the unit of its limit. */
export function inUnit(
  { unit }: Pick<CountedLimit, 'unit'>,
  { count, amount }: { count: number; amount: bigint },
): bigint {
  return unit === 'operations' ? BigInt(count) : amount;
}
