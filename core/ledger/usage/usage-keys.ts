import { z } from 'zod';
import type { DecisionMethod } from '../../domain/decision.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Database } from '../../store/database.ts';
import type { CalledFacts } from '../../store/decision-tables.ts';

/** The key for what has none: a decision without a sender, a call or a token. */
export const noKey = 'none';

const secondsPerHour = 3_600;

/** Methods of decisions about operations that are relayed instead of paid by a paymaster contract. */
export const relayMethods: ReadonlySet<string> = new Set<DecisionMethod>([
  'relayUserOperation',
  'prepareRelay',
  'sendAuthorization',
]);

/** Days of the longer sums, so that few make up a month or a year. They begin at multiples of it. */
export const longSpanDays = 7;

/** The parts of a usage sum's key besides the paymaster. */
export type UsageSumKey = Readonly<Pick<Database['usage_sums'], 'dimension' | 'span_days' | 'day' | 'key'>>;

/** What of a decision determines which sums it is part of. `record` is JSON. */
export type KeyedDecision = {
  readonly created_at: number;
  readonly method: string;
  readonly sender?: string | null;
  readonly token?: string | null;
  readonly record: string;
  readonly called?: CalledFacts;
};

/** The parts of a record with what was called and the attribution codes. */
const CalledSchema = z.object({
  facts: z
    .object({
      calls: z.array(z.object({ target: z.string(), selector: z.string().exactOptional() })),
      attribution: z.array(z.string()).default([]),
    })
    .optional(),
});

/**
 * The sums that a decision is part of, each once. Contracts, methods and attribution codes can be several; a method is
 * `address:selector`, with `0x` for a call that only sends coin. Few operations name a code, so those without have no row for it.
 */
export function usageKeys(decision: KeyedDecision): readonly UsageSumKey[] {
  const { calls, attribution = [] } = decision.called ?? readCalled(decision.record);
  const methods = calls.map(({ target, selector = '0x' }) => `${target}:${selector}`);
  const day = startOf(decision.created_at, 1);
  const week = startOf(decision.created_at, longSpanDays);
  const inBoth = (dimension: UsageSumKey['dimension'], keys: readonly string[]): UsageSumKey[] =>
    distinct(keys).flatMap((key) => [
      { dimension, span_days: 1, day, key },
      { dimension, span_days: longSpanDays, day: week, key },
    ]);
  return [
    { dimension: 'day', span_days: 1, day, key: '' },
    { dimension: 'hour', span_days: 1, day, key: String(decision.created_at - (decision.created_at % secondsPerHour)) },
    { dimension: 'via', span_days: 1, day, key: relayMethods.has(decision.method) ? 'relay' : 'paymaster' },
    { dimension: 'token', span_days: 1, day, key: decision.token ?? noKey },
    ...inBoth('sender', [decision.sender ?? noKey]),
    ...inBoth(
      'contract',
      calls.map(({ target }) => target),
    ),
    ...inBoth('method', methods),
    ...(attribution.length === 0 ? [] : inBoth('attribution', attribution)),
  ];
}

function readCalled(record: string): CalledFacts {
  return CalledSchema.parse(JSON.parse(record)).facts ?? { calls: [] };
}

/** When the sum of so many days begins that a moment is in, both in Unix seconds. */
export function startOf(moment: number, spanDays: number): number {
  return moment - (moment % (spanDays * secondsPerDay));
}

function distinct(keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [noKey] : [...new Set(keys)];
}
