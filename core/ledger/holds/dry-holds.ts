import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { tryHold } from './hold-batch.ts';
import type { HoldQueue } from './hold-queue.ts';

/** Decides holds as the real queue would now, without holding anything. */
export function createDryHolds(store: Store, clock: Clock): HoldQueue {
  return { hold: (request) => store.transaction((transaction) => tryHold(transaction, request, unixSeconds(clock))) };
}
