import type { z } from 'zod';
import { count, integer, message, sint64, text } from '../base/message-schema.ts';

/** What one gateway has let through towards a limit that holds for all gateways together. */
export const LimitUseSchema = message('LimitUse', {
  /** Which limit, and whose. It is kept as a digest alone. */
  name: text,
  /** How much may go at once, and how much comes back in a minute. */
  burst: integer,
  /** How much comes back in a minute. */
  perMinute: integer,
  /** How much was let through since the last word about it. */
  used: integer,
  /** Milliseconds since the first of it was let through. */
  beganMsAgo: count,
});
export type LimitUse = z.output<typeof LimitUseSchema>;

/** What a limit has come to by the uses of all gateways. */
export const LimitLevelSchema = message('LimitLevel', {
  /** What all have left together, in thousandths; below 0 where they have let through too much. */
  left: sint64,
  /** All that was ever told of, by which a gateway sees whether others had a part in it. It may begin again at 0. */
  used: count,
});
export type LimitLevel = z.output<typeof LimitLevelSchema>;

/** Limits that one call may be about. */
export const maxLimitUses = 1_000;
