import { describe, expect, test } from 'vitest';
import type { KeyLimit } from '../../core/domain/api-key-rules.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import { chainId, contract, type HoldAsked, landedEvent, numberedAddress, post } from '../support/core/ledger-lab.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const { ledger, paymasterId } = lab;

/** 1 coin is 2,000 USD, so 5 wei round up to a millionth of a USD. */
const usdMicrosPerCoin = 2_000_000_000n;

type Limits = ReadonlyMap<number, readonly KeyLimit[]>;

/** Asks with a key of the paymaster for an operation like no other. */
function ask(keyNumber: number, limits: Limits, over: HoldAsked = {}) {
  return lab.ask({ key: { keyNumber, limits }, ...over });
}

async function insertNamedPolicy(policyId: string): Promise<void> {
  await ledger.store.db
    .insertInto('named_policies')
    .values({
      policy_id: policyId,
      paymaster_id: paymasterId,
      name: policyId,
      enabled: 1,
      policy: policyText(defaultPolicy),
      created_at: lab.now,
      updated_at: lab.now,
    })
    .execute();
}

async function countHeld(outcomes: readonly Promise<{ readonly kind: string }>[]): Promise<number> {
  return (await Promise.all(outcomes)).filter(({ kind }) => kind === 'held').length;
}

const daily = (max: bigint): KeyLimit => ({ window: 'day', unit: 'operations', max });

describe('the limit of a key', () => {
  test.each([
    { window: 'day', unit: 'operations', max: 37n },
    { window: 'ever', unit: 'wei', max: 37n * 5n + 4n },
    { window: 'hour', unit: 'usdMicros', max: 37n },
  ] satisfies KeyLimit[])('in $unit is never passed by 1,000 requests at once', async (limit) => {
    const limits = new Map([[2, [limit]]]);
    const asked = Array.from({ length: 1_000 }, (_, index) =>
      ask(2, limits, { sender: numberedAddress(1 + index), usdMicrosPerCoin }),
    );
    expect(await countHeld(asked)).toBe(37);
  });

  test('counts that key alone, and is no limit of the others', async () => {
    const limits = new Map([
      [1, [daily(2n)]],
      [2, [daily(3n)]],
    ]);
    const keys = Array.from({ length: 60 }, (_, index) => index % 3);
    const outcomes = await Promise.all(keys.map(async (key) => ({ key, kind: (await ask(key, limits)).kind })));
    const heldWith = (key: number) => outcomes.filter((one) => one.key === key && one.kind === 'held').length;
    expect([heldWith(0), heldWith(1), heldWith(2)]).toEqual([20, 2, 3]);
  });

  test('says that it is the key’s, what is used of it and when its next window begins', async () => {
    const limits = new Map([[1, [daily(1n)]]]);
    await ask(1, limits);
    const outcome = await ask(1, limits);
    if (outcome.kind !== 'limited') throw new Error(`The second was ${outcome.kind}.`);
    expect(outcome.refusal).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'KEY_LIMIT',
      details: { limit: 'limit-key-day-operations', max: '1', used: '1', asked: '1' },
    });
    expect(outcome.refusal.message).toMatch(/^This apiKey allows 1 operation in a day; 1 operation is used/);
    expect(outcome.refusal.details?.frees).toContain('2026-11-21T00:00:00.000Z');
  });

  test('gives back what does not land, and keeps of what lands what it cost', async () => {
    const limits: Limits = new Map([[1, [{ window: 'day', unit: 'wei', max: 10n }]]]);
    const sender = numberedAddress(7);
    await ask(1, limits, { sender, nonce: 1n });
    await ask(1, limits, { sender, nonce: 2n });
    expect((await ask(1, limits)).kind).toBe('limited');
    await post(ledger.store, [landedEvent(7, 1n, 2n)]);
    expect((await ask(1, limits, { amount: 3n, validUntil: lab.now + 3_000 })).kind).toBe('held');
    expect((await ask(1, limits, { amount: 1n })).kind).toBe('limited');
    lab.now += 600;
    await ledger.store.transaction((transaction) =>
      releaseExpired(transaction, { chainId, contract, chainTime: lab.now }, lab.now),
    );
    expect((await ask(1, limits, { amount: 5n })).kind).toBe('held');
    expect((await ask(1, limits, { amount: 1n })).kind).toBe('limited');
  });

  test('counts an operation once, for the key that asked for it first', async () => {
    const limits = new Map([
      [1, [daily(1n)]],
      [2, [daily(1n)]],
    ]);
    const same = { sender: numberedAddress(9), nonce: 900n };
    // In one batch, and again when it is held.
    expect(await countHeld([ask(1, limits, same), ask(2, limits, same)])).toBe(2);
    expect((await ask(2, limits, same)).kind).toBe('held');
    expect((await ask(1, limits)).kind).toBe('limited');
    expect((await ask(2, limits)).kind).toBe('held');
    expect((await ask(2, limits)).kind).toBe('limited');
  });

  test('counts a request that joins what another key asked for in tokens in the same batch, next to what it counts already', async () => {
    const limits = new Map([
      [1, [daily(2n)]],
      [2, [daily(9n)]],
    ]);
    const same = { sender: numberedAddress(9), nonce: 900n };
    expect((await ask(1, limits)).kind).toBe('held');
    const outcomes = await Promise.all([ask(1, limits, { ...same, mode: 'ERC20' }), ask(2, limits, same)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['held', 'held']);
    expect((await ask(1, limits)).kind).toBe('limited');
  });

  test('is one whichever policies are chosen, and gives back under each', async () => {
    const policyId = 'tfp_game';
    await insertNamedPolicy(policyId);
    const limits = new Map([[1, [daily(2n)]]]);
    expect((await ask(1, limits)).kind).toBe('held');
    expect((await ask(1, limits, { policyId, validUntil: lab.now + 3_000 })).kind).toBe('held');
    expect((await ask(1, limits)).kind).toBe('limited');
    expect((await ask(1, limits, { policyId })).kind).toBe('limited');
    lab.now += 600;
    await ledger.store.transaction((transaction) =>
      releaseExpired(transaction, { chainId, contract, chainTime: lab.now }, lab.now),
    );
    expect((await ask(1, limits, { policyId })).kind).toBe('held');
    expect((await ask(1, limits)).kind).toBe('limited');
  });

  test('does not count what users pay for in tokens', async () => {
    const limits = new Map([[1, [daily(0n)]]]);
    expect((await ask(1, limits, { mode: 'ERC20' })).kind).toBe('held');
    expect((await ask(1, limits)).kind).toBe('limited');
  });
});
