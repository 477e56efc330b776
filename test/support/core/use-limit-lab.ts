import { beforeEach } from 'vitest';
import { createHoldQueue, type HoldQueue } from '../../../core/ledger/holds/hold-queue.ts';
import type { HoldOutcome, HoldRequest, TankKey } from '../../../core/ledger/holds/hold-request.ts';
import { depositEvent, type HoldAsked, holdRequest, insertPaymaster, post, tankOf } from './ledger-lab.ts';
import { type UsedLedger, useLedger } from './use-ledger.ts';

/** Friday, 20 November 2026, 12:00:00 UTC. */
export const noon = Date.UTC(2026, 10, 20, 12) / 1000;

/** A paymaster whose tank never runs dry, and its queue of holds. */
export type LimitLab = {
  readonly ledger: UsedLedger;
  readonly accountId: string;
  readonly paymasterId: string;
  readonly tank: TankKey;
  readonly clock: { now(): number };
  /** Unix seconds: noon at the start of each test, until the test moves it. */
  now: number;
  readonly queue: HoldQueue;
  /** A request for 5 wei with the next nonce. */
  request(over?: HoldAsked): HoldRequest;
  /** Holds for such a request, in this queue unless another one is given. */
  ask(over?: HoldAsked, by?: HoldQueue): Promise<HoldOutcome>;
};

/** Each test of the file gets a {@link LimitLab} of its own. */
export function useLimitLab(): LimitLab {
  const ledger = useLedger();
  const accountId = '20000000-0000-4000-8000-000000000001';
  const paymasterId = '10000000-0000-4000-8000-000000000001';
  let queue: HoldQueue;
  let nonces: bigint;
  const clock = { now: () => lab.now * 1000 };
  const lab: LimitLab = {
    ledger,
    accountId,
    paymasterId,
    tank: tankOf(1),
    clock,
    now: noon,
    get queue() {
      return queue;
    },
    request(over) {
      nonces += 1n;
      return holdRequest({
        tank: lab.tank,
        paymasterId,
        amount: 5n,
        nonce: nonces,
        validUntil: lab.now + 300,
        ...over,
      });
    },
    ask: (over, by = queue) => by.hold(lab.request(over)),
  };
  beforeEach(async () => {
    lab.now = noon;
    nonces = 0n;
    queue = createHoldQueue(ledger.store, clock, []);
    await insertPaymaster(ledger.store, { paymasterId, accountId });
    await post(ledger.store, [depositEvent(1, 10n ** 24n)]);
  });
  return lab;
}
