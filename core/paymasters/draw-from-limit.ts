import type { LimitLevel, LimitUse } from '../domain/limit-use.ts';

/** A limit as it was when the latest of its uses began, in Unix milliseconds. */
export type KeptLimit = LimitLevel & { readonly at: number };

/** What so many gateways can let through before they hear of each other may be owed, and is waited for: a burst and a second each. */
const maxOverdrawn = 10;

/**
 * The limit after a use, which is full where it is not known. All of the use counts as of when it began: what came back
 * since then would be lost where a limit that is full takes the whole of it now. A clock that was set back brings nothing.
 */
export function drawFromLimit(kept: KeptLimit | undefined, use: LimitUse, now: number): KeptLimit {
  const full = use.burst * 1_000;
  const owed = maxOverdrawn * (full + Math.ceil((use.perMinute * 1_000) / 60));
  const began = now - use.beganMsAgo;
  const before = kept === undefined ? full : levelAt(kept, use, began);
  return {
    left: Math.max(before - use.used * 1_000, -owed),
    used: (kept?.used ?? 0) + use.used,
    at: Math.max(began, kept?.at ?? began),
  };
}

/** What the limit has left at a time in Unix milliseconds. */
export function levelAt({ left, at }: KeptLimit, { burst, perMinute }: LimitUse, time: number): number {
  return Math.min(burst * 1_000, left + Math.floor((Math.max(0, time - at) * perMinute) / 60));
}
