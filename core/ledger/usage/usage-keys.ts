import { z } from 'zod';
import type { DecisionMethod, DecisionOutcome } from '../../domain/decision.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';

/** The key for what has none: a decision without a sender, a call or a token. */
export const noKey = 'none';

/** The key that shares its row: what callers chose and no one signed, and what came after a day had its most keys. */
export const otherKey = 'other';

/** Methods of decisions about operations that are relayed instead of paid by a paymaster contract. */
export const relayMethods: ReadonlySet<string> = new Set<DecisionMethod>(['relayUserOperation', 'prepareRelay']);

/** The parts of a usage sum's key besides the paymaster. */
export type UsageSumKey = Readonly<Pick<Database['usage_sums'], 'dimension' | 'day' | 'key'>> & {
  /** Whether the caller chose it: a day has so many of them, and the rest is under {@link otherKey}. */
  readonly isChosen: boolean;
};

/** The columns of a usage sum's key. */
export const usageKeyColumns = { paymaster_id: 'text', dimension: 'text', day: 'number', key: 'text' } as const;

/** The columns of a usage sum besides its key. */
export const usageSumColumns = {
  signed: 'number',
  quoted: 'number',
  stub: 'number',
  refused: 'number',
  landed: 'number',
  charge: 'text',
  users_paid: 'text',
  priced: 'number',
  usd_micros: 'number',
  chosen_keys: 'number',
} as const;

/** The counts of a usage sum that nothing has been added to. */
export const noCounts = {
  signed: 0,
  quoted: 0,
  stub: 0,
  refused: 0,
  landed: 0,
  priced: 0,
  usd_micros: 0,
  chosen_keys: 0,
} as const;

/** What of a decision determines which sums it is part of. `record` is JSON. */
export type KeyedDecision = {
  readonly paymaster_id: string;
  readonly created_at: number;
  readonly method: string;
  readonly outcome: DecisionOutcome;
  readonly sender: string | null;
  readonly token: string | null;
  readonly key_number: number;
  readonly record: string;
};

/** The parts of a record with what was called, which of it is registered, and the attribution codes. */
const CalledSchema = z.object({
  facts: z
    .object({
      calls: z.array(z.object({ target: z.string(), selector: z.string().exactOptional() })),
      attribution: z.array(z.string()).default([]),
    })
    .default({ calls: [], attribution: [] }),
  listed: z.string().default(''),
});

/**
 * The sums that a decision is part of, each once. Contracts, methods and attribution codes can be several; a method is
 * `address:selector`, with `0x` for a call that only sends coin. Few operations name a code, so those without have no row for it, and
 * only relayed ones have rows of `relayedMethod`.
 *
 * What a caller can choose freely opens no row: of decisions that signed nothing, only registered contracts and whitelisted
 * methods have keys of their own.
 */
export function usageKeys(decision: KeyedDecision): readonly UsageSumKey[] {
  const { facts, listed } = CalledSchema.parse(JSON.parse(decision.record));
  const { calls, attribution } = facts;
  const isSigned = decision.outcome === 'signed';
  const day = windowStart('day', decision.created_at);
  const fixed = (dimension: UsageSumKey['dimension'], key: string) => ({ dimension, day, key, isChosen: false });
  const chosen = (dimension: UsageSumKey['dimension'], key: string) =>
    isSigned ? { dimension, day, key, isChosen: true } : fixed(dimension, otherKey);
  // The calls of a short record are left out.
  const uncalled = listed === '' ? noKey : otherKey;
  const methods = calls.map(({ target, selector = '0x' }, index) => {
    const method = `${target}:${selector}`;
    return listed[index] === 'm' ? fixed('method', method) : chosen('method', method);
  });
  const called = methods.length === 0 ? [fixed('method', uncalled)] : methods;
  const isRelayed = relayMethods.has(decision.method);
  return distinct([
    fixed('day', ''),
    fixed('hour', String(windowStart('hour', decision.created_at))),
    fixed('via', isRelayed ? 'relay' : 'paymaster'),
    fixed('apiKey', String(decision.key_number)),
    fixed('token', decision.token ?? noKey),
    decision.sender === null ? fixed('sender', noKey) : chosen('sender', decision.sender),
    ...(calls.length === 0 ? [fixed('contract', uncalled)] : []),
    ...calls.map(({ target }, index) =>
      (listed[index] ?? '-') === '-' ? chosen('contract', target) : fixed('contract', target),
    ),
    ...called,
    ...(isRelayed ? called.map((key) => ({ ...key, dimension: 'relayedMethod' as const })) : []),
    ...attribution.map((code) => chosen('attribution', code)),
  ]);
}

/**
 * The sum of costs that one of `usdMicros` (millionths of a USD) is in. Its key is the highest cost in it: the cost, rounded up to two
 * digits. A day therefore has 90 of them at most for costs of as many digits.
 */
export function costKey({ created_at }: KeyedDecision, usdMicros: number): UsageSumKey {
  const step = 10 ** Math.max(0, String(usdMicros).length - 2);
  const highest = Math.ceil(usdMicros / step) * step;
  return { dimension: 'cost', day: windowStart('day', created_at), key: String(highest), isChosen: false };
}

function distinct(keys: readonly UsageSumKey[]): readonly UsageSumKey[] {
  return [...new Map(keys.map((key) => [`${key.dimension} ${key.key}`, key])).values()];
}
