import { beforeEach, expect, test } from 'vitest';
import { defaultHoldCaps } from '../../core/domain/chain-config.ts';
import { hasOpenDeployment } from '../../core/ledger/holds/has-open-deployment.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const now = 1_000;
const validUntil = 1_300;
const ledger = useLedger();
let queue: HoldQueue;

beforeEach(async () => {
  queue = createHoldQueue(ledger.store, { now: () => now * 1_000 }, []);
  await post(ledger.store, [depositEvent(1, 1_000n)]);
});

function hold(sender: number, nonce: bigint, deploys?: boolean) {
  const over = deploys === undefined ? {} : { deploys };
  const request = { tank: tankOf(1), amount: 1n, sender: numberedAddress(sender), nonce, validUntil, ...over };
  return queue.hold(holdRequest(request));
}

function isOpen(sender: number, at: { chainId?: number; now?: number } = {}): Promise<boolean> {
  return hasOpenDeployment(ledger.store, { chainId, now, sender: numberedAddress(sender), ...at });
}

test('holds of one batch say each for itself whether they are for a deployment', async () => {
  const outcomes = await Promise.all([hold(1, 0n, true), hold(2, 0n), hold(3, 0n, false), hold(4, 0n, true)]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['held', 'held', 'held', 'held']);
  expect(await Promise.all([1, 2, 3, 4, 5].map((sender) => isOpen(sender)))).toEqual([true, false, false, true, false]);
});

test('it is open on its own chain and until it expires', async () => {
  await hold(1, 0n, true);
  expect(await isOpen(1, { chainId: chainId + 1 })).toBe(false);
  expect(await isOpen(1, { now: validUntil - 1 })).toBe(true);
  expect(await isOpen(1, { now: validUntil })).toBe(false);
});

test('what joins a hold can open a deployment, and closes none', async () => {
  await hold(1, 0n);
  await hold(1, 0n, true);
  expect(await isOpen(1)).toBe(true);
  await hold(1, 0n, false);
  expect(await isOpen(1)).toBe(true);
});

test('it is not open any more once its hold is given back', async () => {
  await hold(1, 0n, true);
  const stretch = { chainId, contract, chainTime: validUntil + 1 };
  await ledger.store.transaction((transaction) => releaseExpired(transaction, stretch, now));
  expect(await isOpen(1)).toBe(false);
});

test('of operations that each pay for an authorization of one sender one is held, no matter who asks for them', async () => {
  const paying = (request: { client: string; nonce: bigint; sender?: number }) =>
    queue.hold(
      holdRequest({
        tank: tankOf(1),
        amount: 1n,
        validUntil,
        caps: defaultHoldCaps,
        deploys: true,
        paysAuthorization: true,
        ...request,
        sender: numberedAddress(request.sender ?? 1),
      }),
    );
  const asked = [
    { client: 'a', nonce: 1n },
    { client: 'b', nonce: 2n },
    { client: 'c', nonce: 3n },
    { client: 'd', nonce: 5n, sender: 2 },
  ];
  const outcomes = await Promise.all(asked.map(paying));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['held', 'limited', 'limited', 'held']);
  expect(await paying({ client: 'e', nonce: 4n })).toMatchObject({ refusal: { reason: 'RATE_LIMITED' } });
  // The same operation again, from elsewhere too, is the one that is paid for.
  expect(await paying({ client: 'f', nonce: 1n })).toMatchObject({ kind: 'held' });
});
