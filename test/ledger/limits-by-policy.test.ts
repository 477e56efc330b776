import { describe, expect, test } from 'vitest';
import { defaultPolicy, type PolicyLimit } from '../../core/domain/policy.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import {
  chainId,
  contract,
  type HoldAsked,
  insertPaymaster,
  landedEvent,
  post,
  readTank,
} from '../support/core/ledger-lab.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const { ledger, tank, paymasterId, accountId } = lab;

const [game, shop] = ['tfp_game', 'tfp_shop'];
const usdMicrosPerCoin = 2_000_000_000n;

/** Replaces a named policy, as a process that knows nothing of the requests does. */
async function setNamed(policyId: string, limits: readonly PolicyLimit[], enabled: 0 | 1 = 1): Promise<void> {
  const row = { policy: policyText({ ...defaultPolicy, limits }), enabled, updated_at: lab.now };
  await ledger.store.db
    .insertInto('named_policies')
    .values({ policy_id: policyId, paymaster_id: paymasterId, name: `Policy ${policyId}`, created_at: lab.now, ...row })
    .onConflict((conflict) => conflict.column('policy_id').doUpdateSet(row))
    .execute();
}

async function setDefault(...limits: readonly PolicyLimit[]): Promise<void> {
  const policy = policyText({ ...defaultPolicy, limits });
  await ledger.store.db
    .insertInto('policies')
    .values({ paymaster_id: paymasterId, policy, updated_at: lab.now })
    .execute();
}

const ask = (over: HoldAsked = {}) => lab.ask({ usdMicrosPerCoin, ...over });

async function kindsOf(outcomes: readonly Promise<{ readonly kind: string }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of await Promise.all(outcomes)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const operations = (max: bigint): PolicyLimit => ({ per: 'total', window: 'day', unit: 'operations', max });

describe('1,000 requests at once never pass a limit of a named policy', () => {
  test.each<PolicyLimit>([
    operations(37n),
    { per: 'sender', window: 'ever', unit: 'wei', max: 37n * 5n + 4n },
    { per: 'total', window: 'month', unit: 'usdMicros', max: 37n },
  ])('$unit of $per by $window: exactly 37 are held', async (limit) => {
    await setNamed(game, [limit]);
    const outcomes = await kindsOf(Array.from({ length: 1_000 }, () => ask({ policyId: game })));
    expect(outcomes).toEqual({ held: 37, limited: 963 });
  });

  test('also when it is lowered while they run', async () => {
    await setNamed(game, [operations(1_000n)]);
    const running = Array.from({ length: 1_000 }, () => ask({ policyId: game }));
    await running[0];
    await setNamed(game, [operations(10n)]);
    const { held = 0 } = await kindsOf(running);
    const { count } = await ledger.store.db.selectFrom('ledger_accounts').select('count').executeTakeFirstOrThrow();
    expect(count).toBe(held);
    expect(held).toBeLessThan(1_000);
    expect((await ask({ policyId: game })).kind).toBe('limited');
  });
});

describe('a named policy', () => {
  test('and the default one, and another one, count by themselves', async () => {
    await setDefault(operations(1n));
    await setNamed(game, [operations(2n)]);
    await setNamed(shop, [operations(3n)]);
    const asked = [undefined, game, shop].flatMap((policyId) =>
      Array.from({ length: 5 }, () => ask(policyId === undefined ? {} : { policyId })),
    );
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds).toEqual(
      [1, 2, 3].flatMap((held) => [...Array(held).fill('held'), ...Array(5 - held).fill('limited')]),
    );
  });

  test('has back what is released, and keeps what landed', async () => {
    await setNamed(game, [{ per: 'total', window: 'ever', unit: 'wei', max: 10n }]);
    await ask({ policyId: game, nonce: 901n });
    await ask({ policyId: game });
    expect((await ask({ policyId: game })).kind).toBe('limited');
    await post(ledger.store, [landedEvent(0xa1, 901n, 2n)]);
    await ledger.store.transaction((trx) =>
      releaseExpired(trx, { chainId, contract, chainTime: lab.now + 301 }, lab.now),
    );
    expect((await ask({ policyId: game, amount: 8n })).kind).toBe('held');
    expect((await ask({ policyId: game, amount: 1n })).kind).toBe('limited');
  });

  test('is one of several that spend the same ticket, whose budget is one', async () => {
    await setNamed(game, []);
    await setNamed(shop, []);
    const ticketUser = 'subject:0123456789';
    const ticket = {
      id: 'ticket:0123456789',
      endsAt: lab.now + 600,
      limits: [{ per: 'ticket', window: 'ever', unit: 'wei', max: 12n }] as const,
    };
    const spend = (policyId: string | undefined, over: HoldAsked = {}) =>
      ask({ ticketUser, ticket, ...(policyId === undefined ? {} : { policyId }), ...over });
    expect((await spend(game, { nonce: 801n })).kind).toBe('held');
    expect((await spend(shop)).kind).toBe('held');
    for (const policyId of [undefined, game, shop]) expect((await spend(policyId)).kind).toBe('limited');
    await post(ledger.store, [landedEvent(0xa1, 801n, 2n)]);
    expect((await spend(undefined)).kind).toBe('held');
    expect((await spend(shop, { amount: 1n })).kind).toBe('limited');
    expect(await ledger.store.read(checkAccounts)).toEqual([]);
  });

  test('counts a nonce that another one has counted already: a sender cannot move from one to the other', async () => {
    await setNamed(game, [operations(1n)]);
    await setNamed(shop, [operations(0n)]);
    expect((await ask({ policyId: game, nonce: 7n })).kind).toBe('held');
    expect((await ask({ policyId: shop, nonce: 7n })).kind).toBe('limited');
    await setNamed(shop, [operations(1n)]);
    expect((await ask({ policyId: shop, nonce: 7n })).kind).toBe('held');
    expect(await readTank(ledger.store, tank)).toMatchObject({ held: 10n });
    await post(ledger.store, [landedEvent(0xa1, 7n, 2n)]);
    expect(await readTank(ledger.store, tank)).toMatchObject({ held: 0n, settled: 2n });
  });

  test.each([
    ['is deleted', async () => void (await ledger.store.db.deleteFrom('named_policies').execute())],
    ['is closed', () => setNamed(game, [], 0)],
  ])('that %s while requests run holds nothing more, whatever they were decided on', async (_, end) => {
    await setNamed(game, []);
    expect((await ask({ policyId: game })).kind).toBe('held');
    await end();
    for (const mode of ['SPONSORED', 'ERC20'] as const) {
      expect(await ask({ policyId: game, mode })).toMatchObject({
        kind: 'limited',
        refusal: { reason: 'POLICY_NOT_ACCEPTED' },
        rulings: [{ rule: 'policy' }],
      });
    }
  });

  test('of another paymaster holds nothing', async () => {
    await setNamed(game, []);
    const other = '10000000-0000-4000-8000-000000000002';
    await insertPaymaster(ledger.store, { paymasterId: other, accountId });
    expect(await ask({ policyId: game, paymasterId: other })).toMatchObject({
      refusal: { reason: 'POLICY_NOT_ACCEPTED' },
    });
  });
});
