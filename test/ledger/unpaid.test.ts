import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UnpaidBudget } from '../../core/domain/budget.ts';
import { defaultHoldCaps } from '../../core/domain/chain-config.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { forgetUnpaid } from '../../core/ledger/holds/forget-unpaid.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { inWords } from '../support/core/in-words.ts';
import {
  chainId,
  contract,
  depositEvent,
  type HoldAsked,
  holdRequest,
  landedEvent,
  numberedAddress,
  openLedger,
  paidInTokens,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';

const budget: UnpaidBudget = { maxUnpaidSharePerSender: 0.02, maxUnpaidSharePerPaymaster: 0.1 };
const day = 86_400;

let ledger: Awaited<ReturnType<typeof openLedger>>;
let queue: HoldQueue;
/** Unix seconds. */
let now: number;
beforeEach(async () => {
  now = 1;
  ledger = await openLedger();
  queue = createHoldQueue(ledger.store, { now: () => now * 1_000 }, []);
  await post(ledger.store, [depositEvent(1, 1_000n)]);
});
/** Whatever happened, each account is what the holds count in it. */
afterEach(async () => {
  expect(await ledger.store.read(checkAccounts)).toEqual([]);
  await ledger.close();
});

/** Asks to hold for an operation whose user is charged after the call. */
async function hold(sender: number, amount: bigint, over: HoldAsked = {}) {
  const request = {
    tank: tankOf(1),
    amount,
    mode: 'ERC20',
    sender: numberedAddress(sender),
    validUntil: 10_000,
  } as const;
  const outcome = await queue.hold(holdRequest({ ...request, unpaidBudget: budget, ...over }));
  return outcome.kind === 'limited' ? outcome.refusal.details?.limit : outcome.kind;
}

/** The blocks after this one are no longer on the chain. */
async function rollBackTo(toBlock: bigint): Promise<void> {
  const { next_block } = await ledger.store.db
    .selectFrom('contract_watches')
    .select('next_block')
    .executeTakeFirstOrThrow();
  const reversal = { chainId, contract, watchBefore: BigInt(next_block), toBlock, nextBlock: toBlock + 1n } as const;
  await ledger.store.transaction((transaction) => revertTo(transaction, { ...reversal, lastHash: '0x' }, now));
}

const unpaidHolds = async () =>
  (await ledger.store.db.selectFrom('holds').select('unpaid').where('unpaid', 'is not', null).execute()).map(
    ({ unpaid }) => BigInt(unpaid ?? 0),
  );

describe('operations that are charged after the call', () => {
  test('of a sender stay within his share of the tank, but for an only one', async () => {
    expect(await hold(0xa1, 60n)).toBe('held');
    expect(await hold(0xa1, 10n, { nonce: 1n })).toBe('maxUnpaidSharePerSender');
    expect(await hold(0xa2, 10n)).toBe('held');
    expect(await hold(0xa2, 10n, { nonce: 1n })).toBe('held');
    expect(await hold(0xa2, 1n, { nonce: 2n })).toBe('maxUnpaidSharePerSender');
  });

  test('of all senders stay within the share of the paymaster, others are none of it', async () => {
    expect(await hold(0xa1, 60n)).toBe('held');
    expect(await hold(0xa2, 40n)).toBe('held');
    expect(await hold(0xa3, 1n)).toBe('maxUnpaidSharePerPaymaster');
    expect(await hold(0xa3, 1n, { paymasterId: 'another' })).toBe('held');
    const { unpaidBudget: _, ...paidBefore } = holdRequest({ tank: tankOf(1), amount: 500n, mode: 'ERC20' });
    expect((await queue.hold({ ...paidBefore, sender: numberedAddress(0xa4) })).kind).toBe('held');
  });

  test('of a sender and of all are counted for the client that asks for them', async () => {
    const of = (client: string) => ({ client, caps: defaultHoldCaps });
    expect(await hold(0xa1, 15n, of('b'))).toBe('held');
    expect(await hold(0xa1, 15n, { nonce: 1n, ...of('b') })).toBe('maxUnpaidSharePerSender');
    expect(await hold(0xa1, 15n, { nonce: 2n, ...of('a') })).toBe('held');
    // A stranger has half of the paymaster's tenth.
    expect(await hold(0xa2, 35n, of('b'))).toBe('held');
    expect(await hold(0xa3, 1n, of('b'))).toBe('maxShareOfTankPerClient');
    expect(await hold(0xa3, 20n, of('a'))).toBe('held');
    expect(await hold(0xa4, 16n, of('c'))).toBe('maxUnpaidSharePerPaymaster');
  });

  test('that a stranger raises are his from then on, and what was not paid counts for all callers', async () => {
    const of = (client: string) => ({ client, caps: defaultHoldCaps });
    expect(await hold(0xa1, 10n, of('a'))).toBe('held');
    expect(await hold(0xa1, 40n, of('b'))).toBe('held');
    expect(await hold(0xa2, 20n, of('b'))).toBe('maxShareOfTankPerClient');
    expect(await hold(0xa1, 15n, { nonce: 1n, ...of('a') })).toBe('held');
    await post(ledger.store, [landedEvent(0xa1, 0n, 30n)]);
    expect(await hold(0xa1, 1n, { nonce: 2n, ...of('c') })).toBe('maxUnpaidSharePerSender');
  });

  test('are decided one after the other, however many ask at once', async () => {
    const asked = Array.from({ length: 50 }, (_, nth) => hold(0xb0 + nth, 10n));
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(10);
  });

  test('count for the client that makes one of a sponsored one, which adds nothing to what is held', async () => {
    const of = (client: string) => ({ client, caps: defaultHoldCaps });
    const sponsored = holdRequest({ tank: tankOf(1), amount: 50n, ...of('a') });
    expect((await queue.hold(sponsored)).kind).toBe('held');
    expect(await hold(0xa1, 50n, of('b'))).toBe('held');
    expect(await hold(0xa2, 1n, of('b'))).toBe('maxShareOfTankPerClient');
    expect(await hold(0xa2, 1n, of('a'))).toBe('held');
  });

  test('of a client stay within its share, but for an only one', async () => {
    const of = { client: 'b', caps: defaultHoldCaps };
    expect(await hold(0xa1, 60n, of)).toBe('held');
    expect(await hold(0xa1, 70n, of)).toBe('held');
    expect(await hold(0xa2, 1n, of)).toBe('maxShareOfTankPerClient');
  });

  test('are counted for their client in one batch as one after the other', async () => {
    const of = { client: 'b', caps: defaultHoldCaps };
    const asked = [hold(0xa1, 35n, of), hold(0xa2, 20n, of), hold(0xa3, 10n, of)];
    expect(await Promise.all(asked)).toEqual(['held', 'maxShareOfTankPerClient', 'held']);
  });

  test('count once for a nonce, with the largest amount', async () => {
    expect(await hold(0xa1, 60n)).toBe('held');
    expect(await hold(0xa1, 50n)).toBe('held');
    expect(await hold(0xa1, 100n)).toBe('held');
    expect(await hold(0xa2, 1n)).toBe('maxUnpaidSharePerPaymaster');
  });

  test('are not signed at all with a share of nothing', async () => {
    const nothing = { maxUnpaidSharePerSender: 0, maxUnpaidSharePerPaymaster: 1 };
    expect(await hold(0xa1, 1n, { unpaidBudget: nothing })).toBe('maxUnpaidSharePerSender');
    const none = { maxUnpaidSharePerSender: 1, maxUnpaidSharePerPaymaster: 0 };
    expect(await hold(0xa1, 1n, { unpaidBudget: none })).toBe('maxUnpaidSharePerPaymaster');
  });

  test('that are too many are refused with whose share is used up, and what helps; the operator sees the sums', async () => {
    const outcome = (sender: number, amount: bigint, over: HoldAsked) =>
      queue.hold(
        holdRequest({
          tank: tankOf(1),
          mode: 'ERC20',
          unpaidBudget: budget,
          caps: defaultHoldCaps,
          sender: numberedAddress(sender),
          amount,
          ...over,
        }),
      );
    const refused = (message: string, details: { limit: string; max: string; frees: unknown }) => ({
      kind: 'limited',
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'OPERATOR_CAP',
        message: expect.stringContaining(message),
        details,
      },
    });
    const landed = expect.stringContaining('Land the signed operations');
    const [a, b] = [{ client: 'a' }, { client: 'b' }];
    expect(await outcome(0xa1, 35n, a)).toMatchObject({ kind: 'held' });
    const ofSender = await outcome(0xa1, 2n, { ...a, nonce: 1n });
    const perSender = { limit: 'maxUnpaidSharePerSender', max: '0.02', frees: landed };
    expect(ofSender).toMatchObject(refused('Operations of this sender have used up', perSender));
    const perClient = { limit: 'maxShareOfTankPerClient', max: '0.5', frees: landed };
    expect(await outcome(0xa2, 16n, a)).toMatchObject(refused('The address of this request', perClient));
    const perPaymaster = { limit: 'maxUnpaidSharePerPaymaster', max: '0.1', frees: landed };
    expect(await outcome(0xa3, 66n, b)).toMatchObject(
      refused('Operations of this paymaster have used up', perPaymaster),
    );
    const seen = 'unpaid or not paid yet: 37 wei of this sender, 37 wei in total';
    const ruling = { rule: 'operator-unpaid', checked: seen, limit: '20 wei and 100 wei' };
    expect('rulings' in ofSender ? inWords(ofSender.rulings).at(-1) : ofSender).toMatchObject(ruling);
  });

  test('that add nothing are let through however little there may be', async () => {
    expect(await hold(0xa1, 60n)).toBe('held');
    const nothing = { maxUnpaidSharePerSender: 0, maxUnpaidSharePerPaymaster: 0 };
    expect(await hold(0xa1, 60n, { unpaidBudget: nothing })).toBe('held');
    // For another client the hold goes on counting for the first.
    expect(await hold(0xa1, 50n, { unpaidBudget: nothing, client: 'b', caps: defaultHoldCaps })).toBe('held');
  });
});

describe('an operation that has landed', () => {
  test('with its payment counts no longer', async () => {
    await hold(0xa1, 100n);
    await post(ledger.store, [paidInTokens(landedEvent(0xa1, 0n, 90n), 7n)]);
    expect(await unpaidHolds()).toEqual([]);
    expect(await hold(0xa1, 90n, { nonce: 1n })).toBe('held');
  });

  test('without its payment is posted at what it cost and counts for a day', async () => {
    await hold(0xa1, 100n);
    await post(ledger.store, [landedEvent(0xa1, 0n, 90n)]);
    expect(await unpaidHolds()).toEqual([90n]);
    expect(await hold(0xa1, 1n, { nonce: 1n })).toBe('maxUnpaidSharePerSender');
    expect(await hold(0xa2, 2n)).toBe('maxUnpaidSharePerPaymaster');
    now += day - 1;
    expect(await forgetUnpaid(ledger.store, now)).toBe(true);
    expect(await hold(0xa2, 2n)).toBe('maxUnpaidSharePerPaymaster');
    now += 1;
    await forgetUnpaid(ledger.store, now);
    expect(await hold(0xa1, 50n, { nonce: 1n, validUntil: 2 * day })).toBe('held');
  });

  test('without its payment counts again as open when its block is rolled back, and not twice when it lands again', async () => {
    await hold(0xa1, 100n);
    const event = landedEvent(0xa1, 0n, 90n);
    await post(ledger.store, [event]);
    await rollBackTo(event.blockNumber - 1n);
    expect(await unpaidHolds()).toEqual([]);
    expect(await hold(0xa2, 1n)).toBe('maxUnpaidSharePerPaymaster');
    await post(ledger.store, [event]);
    expect(await hold(0xa2, 1n)).toBe('held');
    expect(await hold(0xa3, 1n)).toBe('maxUnpaidSharePerPaymaster');
    now += day;
    await forgetUnpaid(ledger.store, now);
    expect(await hold(0xa3, 90n)).toBe('held');
  });

  test('that took its tokens before the call is not posted as unpaid when the contract tells of no payment', async () => {
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 100n, mode: 'ERC20' }));
    await post(ledger.store, [landedEvent(0xa1, 0n, 90n)]);
    expect(await unpaidHolds()).toEqual([]);
  });

  test('sponsored, for a nonce that was also signed in token mode, owes nothing', async () => {
    const outcome = await queue.hold(holdRequest({ tank: tankOf(1), amount: 50n }));
    if (outcome.kind !== 'held') throw new Error('Nothing was held.');
    await hold(0xa1, 50n);
    const event = landedEvent(0xa1, 0n, 40n);
    const signed = { user_operation_hash: event.userOperationHash, hold_id: outcome.holdId, created_at: 1 };
    await ledger.store.db
      .insertInto('signatures')
      .values({ ...signed, at_risk: 0 })
      .execute();
    await post(ledger.store, [event]);
    expect(await unpaidHolds()).toEqual([]);
  });
});
