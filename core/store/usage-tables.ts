import type { Generated } from 'kysely';

/**
 * What the decisions of a paymaster came to in so many days (`span_days`, 1 or 7) from `day` on, for one key of one dimension;
 * of seven days only where there can be many keys. Decisions that were pruned are in it.
 */
type UsageSumsTable = {
  paymaster_id: string;
  dimension: 'day' | 'hour' | 'sender' | 'contract' | 'method' | 'token' | 'attribution' | 'via';
  span_days: number;
  /** Unix seconds: the beginning of a UTC day, and a multiple of the span. */
  day: number;
  /** Empty where the dimension is the day. */
  key: string;
  signed: number;
  quoted: number;
  stub: number;
  refused: number;
  /** Operations that landed, and what they cost the tank: wei text. */
  landed: number;
  charge: string;
  /** What of `charge` users paid for in tokens: wei text. */
  users_paid: Generated<string>;
  /** Of `landed` those whose worth is known, and what they come to in millionths of a USD. */
  priced: number;
  usd_micros: number;
};

export type UsageTables = { usage_sums: UsageSumsTable };
