import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { ValidityConfig } from '../../domain/core-config.ts';
import type { ChainView } from '../../node/chain-watcher.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Lifetime } from '../permit/read-signature-lifetime.ts';
import type { Asked } from '../run/asked.ts';

/** The validity of a signature, in Unix seconds. */
export type Window = { readonly validAfter: number; readonly validUntil: number };

type Means = { readonly clock: Clock; readonly validity: Pick<ValidityConfig, 'minSeconds' | 'maxSeconds'> };

/** How far a node may be behind our latest reading, in seconds; EntryPoint 0.8 also requires `validAfter` to have passed. */
const lagSeconds = 60;

/**
 *
 *
 * The server chooses the window, which is never open-ended. It considers both clocks, ours and the chain's latest block. It
 * starts at the earlier, so that a lagging chain accepts it at once, and lasts from the later, so that it has not expired on
 * a chain that is ahead. By the earlier clock it must not exceed the maximum, unless less than the minimum would remain by
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

/** The same for a request, whose policy may have its own maximum. */
export function windowOf({ lifetimeSeconds, longestSeconds, view, parts }: Lifetime & Viewed & Asked): Window {
  const { minSeconds } = parts.validity;
  return chooseWindow(lifetimeSeconds, view, {
    clock: parts.clock,
    validity: { minSeconds, maxSeconds: longestSeconds },
  });
}
