import type { Generated } from 'kysely';

/**
 * Totals of a paymaster's decisions in `span_days` days (1 or 7) from `day` on, for one key of one dimension; seven days
 * only for dimensions with many keys. Includes pruned decisions.
 */
type UsageSumsTable = {
  paymaster_id: string;
  dimension: 'day' | 'hour' | 'sender' | 'contract' | 'method' | 'token' | 'attribution' | 'via';
  span_days: number;
  /** Unix seconds: start of a UTC day, and a multiple of the span. */
  day: number;
  /** Empty for the dimension of days. */
  key: string;
  signed: number;
  quoted: number;
  stub: number;
  refused: number;
  /** Landed operations, and their cost to the tank: wei text. */
  landed: number;
  charge: string;
  /** The part of `charge` that users paid in tokens: wei text. */
  users_paid: Generated<string>;
  /** Landed operations with known worth, and the sum in millionths of a USD. */
  priced: number;
  usd_micros: number;
};

export type UsageTables = { usage_sums: UsageSumsTable };
