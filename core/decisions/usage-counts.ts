import { z } from 'zod';
import type { DecidedCall } from '../domain/decision.ts';
import { dayOf } from '../domain/time/utc-days.ts';
import type { UsageDimension } from '../domain/usage.ts';
import { readJsonColumn } from '../store/read-json-column.ts';
import { fromWeiText } from '../store/wei/wei-text.ts';
import type { CountedDecision } from './counted-decisions.ts';
import { DecidedCallSchema } from './decided-call.ts';

/** The key of what has none: a decision without a sender, a call or a token. */
export const noKey = 'none';

/** What the decisions of one key come to. Amounts in wei. */
export type UsageCounts = {
  signed: number;
  quoted: number;
  stub: number;
  refused: number;
  landed: number;
  charge: bigint;
  /** Of the landed those whose worth is known, and what they come to in millionths of a USD. */
  priced: number;
  charge_usd: number;
  held: bigint;
};

/**
 * The keys of one dimension that a decision counts under, each once. Only contracts and methods can be several; a method
 * is `address:selector`, with `0x` for a call that only sends coin.
 */
export function usageKeys(dimension: UsageDimension, decision: CountedDecision): readonly string[] {
  switch (dimension) {
    case 'day':
      return [dayOf(decision.created_at)];
    case 'sender':
      return [decision.sender ?? noKey];
    case 'token':
      return [decision.token ?? noKey];
    case 'outcome':
      return [decision.outcome];
    case 'contract':
      return distinct(callsOf(decision).map(({ target }) => target));
    case 'method':
      return distinct(callsOf(decision).map(({ target, selector = '0x' }) => `${target}:${selector}`));
  }
}

/** Counts a decision under one key. */
export function addDecision(counts: Map<string, UsageCounts>, key: string, decision: CountedDecision): void {
  const sum = countsOf(counts, key);
  sum[decision.outcome] += 1;
  if (decision.outcome !== 'signed' || decision.isLast === 0) return;
  if (decision.state === 'live') sum.held += fromWeiText(decision.amount ?? '0');
  if (decision.state !== 'settled') return;
  sum.landed += 1;
  sum.charge += fromWeiText(decision.charge ?? '0');
  if (decision.charge_usd === null) return;
  sum.priced += 1;
  sum.charge_usd += decision.charge_usd;
}

/** The counts of a key, from zero on. */
export function countsOf(counts: Map<string, UsageCounts>, key: string): UsageCounts {
  const known = counts.get(key);
  if (known !== undefined) return known;
  const fresh = {
    signed: 0,
    quoted: 0,
    stub: 0,
    refused: 0,
    landed: 0,
    charge: 0n,
    priced: 0,
    charge_usd: 0,
    held: 0n,
  };
  counts.set(key, fresh);
  return fresh;
}

const CallsSchema = z.array(DecidedCallSchema);

function callsOf({ calls, decision_number }: CountedDecision): readonly DecidedCall[] {
  return calls === null ? [] : readJsonColumn(CallsSchema, calls, { table: 'decisions', id: decision_number });
}

function distinct(keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [noKey] : [...new Set(keys)];
}
