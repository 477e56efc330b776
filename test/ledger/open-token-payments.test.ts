import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { type HoldOutcome, operationKeyOf, type TokenPayment } from '../../core/ledger/holds/hold-request.ts';
import {
  depositEvent,
  type HoldAsked,
  holdRequest,
  landedEvent,
  numberedAddress,
  openLedger,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';

const sender = numberedAddress(0xa1);
const token = numberedAddress(0x70);

let ledger: Awaited<ReturnType<typeof openLedger>>;
let queue: HoldQueue;
/** Unix seconds. */
let now: number;
beforeEach(async () => {
  now = 1;
  ledger = await openLedger();
  queue = createHoldQueue(ledger.store, { now: () => now * 1_000 }, []);
  await post(ledger.store, [depositEvent(1, 1_000n), depositEvent(2, 1_000n)]);
});
afterEach(() => ledger.close());

/** Asks to hold for an operation of the same sender that may take 10 of its 19 tokens after the call. */
function hold(nonce: bigint, over: HoldAsked = {}, payment: Partial<TokenPayment> = {}) {
  const unpaidBudget = { maxUnpaidSharePerSender: 1, maxUnpaidSharePerPaymaster: 1 };
  const tokenPayment = { token, most: 10n, balance: 19n, ...payment };
  const request = { tank: tankOf(1), mode: 'ERC20', sender, nonce, amount: 5n, validUntil: 300 } as const;
  return queue.hold(
    holdRequest({ ...request, requestKey: `${nonce} ${tokenPayment.most}`, unpaidBudget, tokenPayment, ...over }),
  );
}

/** `held`, or what the sender's other operations may take. */
const openIn = (outcome: HoldOutcome) =>
  outcome.kind === 'limited' ? `${outcome.refusal.reason} ${outcome.refusal.details?.open}` : outcome.kind;

describe('token payments of a sender', () => {
  test('are refused beyond its tokens, one after the other and in one batch', async () => {
    expect(openIn(await hold(1n))).toBe('held');
    expect(openIn(await hold(2n))).toBe('TOKEN_PAYMENT_FAILS 10');
    const other = { sender: numberedAddress(0xa2) };
    const outcomes = await Promise.all([hold(1n, other), hold(2n, other), hold(3n, other), hold(4n, other)]);
    expect(outcomes.map(openIn)).toEqual(['held', ...Array.from({ length: 3 }, () => 'TOKEN_PAYMENT_FAILS 10')]);
  });

  test('are signed as long as its tokens suffice for all', async () => {
    expect(openIn(await hold(1n, {}, { balance: 30n }))).toBe('held');
    expect(openIn(await hold(2n, {}, { balance: 30n }))).toBe('held');
    expect(openIn(await hold(3n, {}, { balance: 30n }))).toBe('held');
    expect(openIn(await hold(4n, {}, { balance: 30n }))).toBe('TOKEN_PAYMENT_FAILS 30');
  });

  test('count once for a nonce, with the largest maximum, also after a repeated request', async () => {
    for (const most of [8n, 10n, 9n, 10n]) expect(openIn(await hold(1n, {}, { most }))).toBe('held');
    expect(openIn(await hold(2n, {}, { most: 9n }))).toBe('held');
    expect(openIn(await hold(3n, {}, { most: 1n }))).toBe('TOKEN_PAYMENT_FAILS 19');
  });

  test('count at any paymaster of the chain, for the client that requests them, and in one token', async () => {
    expect(openIn(await hold(1n, { client: 'a' }))).toBe('held');
    const elsewhere = { tank: tankOf(2), paymasterId: 'another' };
    expect(openIn(await hold(2n, { client: 'a', ...elsewhere }))).toBe('TOKEN_PAYMENT_FAILS 10');
    expect(openIn(await hold(2n, { client: 'b', ...elsewhere }))).toBe('held');
    expect(openIn(await hold(3n, { client: 'a' }, { token: numberedAddress(0x71) }))).toBe('held');
  });

  test('count until they land or expire', async () => {
    expect(openIn(await hold(1n))).toBe('held');
    await post(ledger.store, [landedEvent(0xa1, 1n, 4n)]);
    expect(openIn(await hold(2n))).toBe('held');
    expect(openIn(await hold(3n))).toBe('TOKEN_PAYMENT_FAILS 10');
    now = 300;
    expect(openIn(await hold(3n, { validUntil: 600 }))).toBe('held');
  });

  test('that have landed without the ledger knowing it are named by their nonces, and not counted again', async () => {
    await hold(1n);
    expect(await hold(2n)).toMatchObject({ kind: 'limited', openPayments: [1n] });
    const landed = new Set([operationKeyOf({ sender, nonce: 1n })]);
    expect(openIn(await hold(2n, {}, { landed }))).toBe('held');
  });

  test('taken before the call are not refused, since the EntryPoint refuses them at no one’s cost, and count for others', async () => {
    const tokenPayment = { token, most: 10n, balance: 9n };
    const paidBefore = { tank: tankOf(1), mode: 'ERC20', sender, amount: 5n, validUntil: 300, tokenPayment } as const;
    expect(openIn(await queue.hold(holdRequest({ ...paidBefore, nonce: 1n })))).toBe('held');
    expect(openIn(await queue.hold(holdRequest({ ...paidBefore, nonce: 2n })))).toBe('held');
    expect(openIn(await hold(3n))).toBe('TOKEN_PAYMENT_FAILS 20');
  });

  test('in a token that does not tell a balance are not refused for it', async () => {
    for (const nonce of [1n, 2n]) expect(openIn(await hold(nonce, {}, { balance: 0n }))).toBe('held');
  });
});
