import type { z } from 'zod';
import { count, integer, message, sint64, text } from '../base/message-schema.ts';

/** What one gateway has let through under a limit that applies to all gateways together. */
export const LimitUseSchema = message('LimitUse', {
  /** Names the limit and its subject. Only a digest is stored. */
  name: text,
  /** The burst. */
  burst: integer,
  /** How much is replenished in a minute. */
  perMinute: integer,
  /** How much was let through since the last report. */
  used: integer,
  /** Milliseconds since the first of it was let through. */
  beganMsAgo: count,
});
export type LimitUse = z.output<typeof LimitUseSchema>;

/** The level of a limit from the uses of all gateways. */
export const LimitLevelSchema = message('LimitLevel', {
  /** What all have left together, in thousandths; negative if they have let through too much. */
  left: sint64,
  /** Everything reported so far; it shows a gateway whether others contributed. It may restart at 0. */
  used: count,
});
export type LimitLevel = z.output<typeof LimitLevelSchema>;

/** Most limits in one call. */
export const maxLimitUses = 1_000;
