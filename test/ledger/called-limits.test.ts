import { describe, expect, test } from 'vitest';
import type { PolicyLimit } from '../../core/domain/policy.ts';
import { readLimitUse } from '../../core/ledger/accounts/read-limit-use.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { calledKey } from '../../core/policies/called-limits.ts';
import {
  chainId,
  contract,
  type HoldAsked,
  holdRequest,
  landedEvent,
  numberedAddress,
  post,
} from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const { ledger, tank, paymasterId } = lab;

const game = numberedAddress(0xa1);
const mints = { contract: game, method: 'mint' } as const;
const ofMints = (parts: Partial<PolicyLimit> = {}): PolicyLimit => ({
  per: 'sender',
  window: 'day',
  unit: 'operations',
  max: 5n,
  ...mints,
  ...parts,
});
const mintKey = calledKey(mints) ?? '';
/** An operation with so many calls of the method, as the policy's limits count them. */
const calls = (count: number) => ({ calls: new Map([[mintKey, count]]) });

const setLimits = (...limits: readonly PolicyLimit[]) =>
  setPolicyLimits(ledger.store, paymasterId, limits, { requireTicket: true });

const { ask } = lab;
const kindOf = async (over?: HoldAsked) => (await ask(over)).kind;
const kindsOf = async (asked: readonly ReturnType<typeof ask>[]) => (await Promise.all(asked)).map(({ kind }) => kind);

/** What is used of a limit: all accounts are what their holds come to. */
async function usedOf(limit: PolicyLimit, over: { readonly sender?: string; readonly ticketUser?: string } = {}) {
  const { sender } = holdRequest({ tank, amount: 0n });
  const hold = { paymasterId, policyId: '', sender, keyNumber: 0, ...over };
  expect(await ledger.store.read(checkAccounts)).toEqual([]);
  const [used] = await readLimitUse(ledger.store.db, [limit], { hold, now: lab.now });
  return used;
}

describe('a limit of a method', () => {
  test('is never passed by 1,000 requests at once, whatever they batch and no matter who sends them', async () => {
    const [ofSender, ofAll] = [ofMints({ max: 37n }), ofMints({ per: 'total', max: 60n })];
    await setLimits(ofSender, ofAll);
    const [ada, bob] = [numberedAddress(8), numberedAddress(9)];
    const kinds = await kindsOf(
      Array.from({ length: 1_000 }, (_, index) => ask({ sender: index < 400 ? ada : bob, ...calls(1 + (index % 3)) })),
    );
    expect(kinds.filter((kind) => kind === 'limited').length).toBeGreaterThan(900);
    expect([await usedOf(ofSender, { sender: ada }), await usedOf(ofAll)]).toEqual([37n, 60n]);
  });

  test('counts the calls of a batch, each by itself', async () => {
    await setLimits(ofMints());
    expect(await kindOf(calls(6))).toBe('limited');
    expect(await kindOf(calls(3))).toBe('held');
    expect(await kindOf(calls(3))).toBe('limited');
    expect(await kindOf(calls(2))).toBe('held');
  });

  test('says which method it is about, and leaves operations without such a call alone', async () => {
    await setLimits(ofMints({ max: 0n }), ofMints({ unit: 'wei', max: 0n }));
    expect(await kindOf(calls(0))).toBe('held');
    const outcome = await ask(calls(2));
    if (outcome.kind !== 'limited') throw new Error(`It was ${outcome.kind}.`);
    expect(outcome.refusal).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(`0 calls of mint of ${game} in a day for this sender`),
      details: { limit: 'limit-sender-day-operations-of-method', ...mints, used: '0', asked: '2' },
    });
  });

  test('refuses who does not say what is called: its policy was set while the request was on its way', async () => {
    await setLimits(ofMints());
    expect(await kindOf({})).toBe('limited');
    expect(await kindOf({ calls: new Map() })).toBe('limited');
  });

  test('in wei counts the whole cost of each operation with such a call, once', async () => {
    const limit = ofMints({ unit: 'wei', max: 12n });
    await setLimits(limit);
    expect(await kindOf(calls(7))).toBe('held');
    expect(await kindOf({ amount: 100n, ...calls(0) })).toBe('held');
    expect(await usedOf(limit)).toBe(5n);
    expect(await kindOf({ amount: 8n, ...calls(1) })).toBe('limited');
  });

  test('counts an operation that is asked for again by the most calls that one of its signatures has', async () => {
    const wei = ofMints({ unit: 'wei', max: 1_000n });
    await setLimits(ofMints(), wei);
    const nonce = 1_000_000n;
    const again = (count: number, amount = 5n) => kindOf({ nonce, amount, ...calls(count) });
    expect(await again(0, 7n)).toBe('held');
    expect(await again(2)).toBe('held');
    expect([await usedOf(ofMints()), await usedOf(wei)]).toEqual([2n, 7n]);
    expect(await again(1, 9n)).toBe('held');
    expect([await usedOf(ofMints()), await usedOf(wei)]).toEqual([2n, 9n]);
    expect(await again(6)).toBe('limited');
    expect(await again(5)).toBe('held');
    expect(await usedOf(ofMints())).toBe(5n);
    // All at once, in one transaction.
    await setLimits(ofMints({ max: 7n }), wei);
    const other = { nonce: nonce + 1n };
    await kindsOf([ask({ ...other, ...calls(0) }), ask({ ...other, ...calls(2) }), ask({ ...other, ...calls(1) })]);
    expect([await usedOf(ofMints()), await usedOf(wei)]).toEqual([7n, 14n]);
  });

  test('gives back what does not land, keeps what lands, and counts again what a reorganisation brings back', async () => {
    const wei = ofMints({ unit: 'wei', max: 1_000n });
    await setLimits(ofMints(), wei);
    const sender = numberedAddress(7);
    const used = async () => [await usedOf(ofMints(), { sender }), await usedOf(wei, { sender })];
    expect(await kindOf({ sender, nonce: 1n, ...calls(3) })).toBe('held');
    expect(await kindOf({ sender, nonce: 2n, ...calls(2) })).toBe('held');
    expect(await used()).toEqual([5n, 10n]);
    await post(ledger.store, [landedEvent(7, 1n, 2n)]);
    expect(await used()).toEqual([5n, 7n]);
    await ledger.store.transaction((trx) =>
      releaseExpired(trx, { chainId, contract, chainTime: lab.now + 301 }, lab.now),
    );
    expect(await used()).toEqual([3n, 2n]);
    await ledger.store.db
      .insertInto('contract_watches')
      .values({ chain_id: chainId, contract, next_block: 1_000, last_hash: '' })
      .onConflict((conflict) => conflict.columns(['chain_id', 'contract']).doUpdateSet({ next_block: 1_000 }))
      .execute();
    const way = { chainId, contract, watchBefore: 1_000n, toBlock: 0n, nextBlock: 1n, lastHash: '' } as const;
    await ledger.store.transaction((trx) => revertTo(trx, way, lab.now));
    expect(await used()).toEqual([3n, 5n]);
  });

  test('of users goes with the ticket when another takes the operation over', async () => {
    const limit = ofMints({ per: 'subject', max: 3n });
    await setLimits(limit);
    const [ada, bob] = ['subject:ada', 'subject:bob'];
    const nonce = 1_000_000n;
    expect(await kindOf({ nonce, ticketUser: ada, ...calls(3) })).toBe('held');
    expect(await kindOf({ ticketUser: ada, ...calls(1) })).toBe('limited');
    // Without such a call in his own request: the operation may land as it was signed before.
    expect(await kindOf({ nonce, ticketUser: bob, ...calls(0) })).toBe('held');
    expect([await usedOf(limit, { ticketUser: ada }), await usedOf(limit, { ticketUser: bob })]).toEqual([0n, 3n]);
    expect(await kindOf({ ticketUser: bob, ...calls(1) })).toBe('limited');
    expect(await kindOf({ ticketUser: ada, ...calls(3) })).toBe('held');
  });

  test('counts next to others, and a contract apart from its methods', async () => {
    const whole = { contract: game } as const;
    const wholeKey = calledKey(whole) ?? '';
    await setLimits(
      ofMints({ per: 'total', max: 4n }),
      { per: 'total', window: 'day', unit: 'operations', max: 5n, ...whole },
      { per: 'sender', window: 'day', unit: 'operations', max: 3n },
    );
    const called = (mint: number, all: number) => ({
      calls: new Map([
        [mintKey, mint],
        [wholeKey, all],
      ]),
    });
    expect(await kindOf(called(4, 4))).toBe('held');
    expect(await kindOf(called(1, 1))).toBe('limited');
    expect(await kindOf(called(0, 1))).toBe('held');
    expect(await kindOf(called(0, 1))).toBe('limited');
    expect(await kindOf(called(0, 0))).toBe('held');
    expect(await kindOf(called(0, 0))).toBe('limited');
  });
});
