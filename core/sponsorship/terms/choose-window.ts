import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { ValidityConfig } from '../../domain/core-config.ts';
import type { ChainView } from '../../node/chain-watcher.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Lifetime } from '../permit/read-signature-lifetime.ts';
import type { Asked } from '../run/asked.ts';

/** From when to when a signature is good, in Unix seconds. */
export type Window = { readonly validAfter: number; readonly validUntil: number };

type Means = { readonly clock: Clock; readonly validity: Pick<ValidityConfig, 'minSeconds' | 'maxSeconds'> };

/** How far a node may be behind the one we last saw, in seconds; EntryPoint 0.8 also wants `validAfter` to be over. */
const lagSeconds = 60;

/**
 * The window is the server's choice and never open-ended. It is laid against both clocks, ours and the chain's last
 * block: it begins at the earlier, so that a chain behind us accepts it at once, and lasts from the later, so that a
 * chain ahead of us does not find it expired; but by the earlier no longer than the maximum, as long as the minimum is left by
 * the later.
 */
export function chooseWindow(lifetimeSeconds: number, view: ChainView, { clock, validity }: Means): Window {
  const now = unixSeconds(clock);
  const [earlier, later] = [Math.min(now, view.headTime), Math.max(now, view.headTime)];
  const longest = Math.max(earlier + validity.maxSeconds, later + validity.minSeconds);
  return {
    validAfter: Math.max(earlier - lagSeconds, 1),
    validUntil: Math.min(later + lifetimeSeconds, longest),
  };
}

/** The same for a request, whose policy may have a maximum of its own. */
export function windowOf({ lifetimeSeconds, longestSeconds, view, parts }: Lifetime & Viewed & Asked): Window {
  const { minSeconds } = parts.validity;
  return chooseWindow(lifetimeSeconds, view, {
    clock: parts.clock,
    validity: { minSeconds, maxSeconds: longestSeconds },
  });
}
