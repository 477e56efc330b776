import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import type { ChainView } from '../../node/chain-watcher.ts';

/** From when to when a signature is good, in Unix seconds. */
export type Window = { readonly validAfter: number; readonly validUntil: number };

/** How far a node may be behind the one we last saw, in seconds; EntryPoint 0.8 also wants `validAfter` to be over. */
const lagSeconds = 60;

/**
 * The window is the server's choice and never open-ended. It is laid against both clocks, ours and the chain's last
 * block: it begins at the earlier, so that a chain behind us accepts it at once, and lasts from the later, so that a
 * chain ahead of us does not find it expired.
 */
export function chooseWindow(lifetimeSeconds: number, view: ChainView, clock: Clock): Window {
  const now = unixSeconds(clock);
  return {
    validAfter: Math.max(Math.min(now, view.headTime) - lagSeconds, 1),
    validUntil: Math.max(now, view.headTime) + lifetimeSeconds,
  };
}
