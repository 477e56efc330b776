import { describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { readUsed } from '../../core/ledger/holds/count-in-steps.ts';
import type { HoldRequest } from '../../core/ledger/holds/hold-request.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { takeBack } from '../../core/ledger/rollback/roll-back.ts';
import { budgetKey, calledKey } from '../../core/policies/called-limits.ts';
import { forgetUnusedUsage } from '../../core/policies/forget-unused-usage.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import { ruleOnLimit } from '../../core/policies/rules/rule-on-limit.ts';
import type { CountedLimit } from '../../core/policies/rules/ruling.ts';
import { inWords } from '../support/core/in-words.ts';
import { chainId, contract, landedEvent, numberedAddress, post } from '../support/core/ledger-lab.ts';
import { noon, useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const { ledger, paymasterId } = lab;

function budget(
  webhookId: string,
  max: bigint,
  { window = 'day', era = 0 }: { window?: 'hour' | 'day'; era?: number } = {},
) {
  const key = budgetKey(webhookId, era);
  return { per: 'webhook', webhook: { webhookId, key }, window, unit: 'wei', max } as const satisfies CountedLimit;
}
type Budget = ReturnType<typeof budget>;

/** A request under budgets, sponsored without the webhooks of some of them. */
function ask(failureBudgets: readonly Budget[], without: readonly Budget[], over: Partial<HoldRequest> = {}) {
  const calls = new Map(failureBudgets.map((one) => [one.webhook.key, without.includes(one) ? 1 : 0]));
  return lab.ask({ failureBudgets, calls, ...over });
}
const kindOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).kind;

/** What is used of a budget: as it is kept, and as it is counted from the holds when nothing is kept. */
async function usedOf(limit: Budget, policyId = '') {
  const whose = { paymasterId, policyId, sender: numberedAddress(1), keyNumber: 0, createdAt: lab.now };
  const kept = await readUsed(ledger.store.db, limit, whose);
  const rows = await ledger.store.db.deleteFrom('limit_usage').returningAll().execute();
  const counted = await readUsed(ledger.store.db, limit, whose);
  if (rows.length > 0) await ledger.store.db.insertInto('limit_usage').values(rows).execute();
  expect(kept).toBe(counted);
  return kept;
}

async function expire(): Promise<void> {
  await ledger.store.transaction((trx) =>
    releaseExpired(trx, { chainId, contract, chainTime: lab.now + 301 }, lab.now),
  );
}

describe('the budget for going without a webhook', () => {
  test.each(['hour', 'day'] as const)('of %s is never passed by 1,000 requests at once', async (window) => {
    const limit = budget('one', 37n * 5n + 4n, { window });
    const asked = Array.from({ length: 1_000 }, (_, index) =>
      ask([limit], [limit], { sender: numberedAddress(1 + index) }),
    );
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'held')).toHaveLength(37);
    expect(await usedOf(limit)).toBe(185n);
  });

  test('begins again with each window', async () => {
    const limit = budget('one', 5n, { window: 'hour' });
    expect(await kindOf([limit], [limit])).toBe('held');
    lab.now = noon + 3_599;
    expect(await kindOf([limit], [limit])).toBe('limited');
    lab.now = noon + 3_600;
    expect(await kindOf([limit], [limit])).toBe('held');
  });

  test('is no one’s whose webhook answered', async () => {
    const limit = budget('one', 4n);
    expect(await kindOf([limit], [])).toBe('held');
    expect(await usedOf(limit)).toBe(0n);
    expect(await kindOf([limit], [limit])).toBe('limited');
  });

  test('refuses as the webhook does that did not respond, and tells no one what is left', async () => {
    const limit = budget('one', 7n);
    await ask([limit], [limit]);
    const outcome = await ask([limit], [limit]);
    if (outcome.kind !== 'limited') throw new Error(`It was ${outcome.kind}.`);
    expect(outcome.refusal).toEqual({
      reason: 'WEBHOOK_UNAVAILABLE',
      message: 'Webhook one did not respond, and its failureBudget is used up.',
      details: { webhookId: 'one' },
    });
    expect(inWords(outcome.rulings)).toMatchObject([
      {
        rule: 'limit-webhook-day-wei',
        checked: '5 wei without webhook one',
        limit: '7 wei in a day',
        used: '5 wei',
      },
    ]);
  });

  test('refuses who does not say which webhooks it goes without', async () => {
    const limit = budget('one', 1_000n);
    const outcome = await ask([limit], [], { calls: new Map() });
    expect(outcome).toMatchObject({ kind: 'limited', refusal: { reason: 'WEBHOOK_UNAVAILABLE' } });
    expect(await kindOf([limit], [limit])).toBe('held');
  });

  test('of one webhook is of no use without another, and of two that are down both count', async () => {
    const [one, two] = [budget('one', 5n), budget('two', 100n)];
    expect(await kindOf([one, two], [one])).toBe('held');
    expect(await kindOf([one, two], [one])).toBe('limited');
    expect(await kindOf([one, two], [one, two])).toBe('limited');
    expect(await usedOf(two)).toBe(0n);
    expect(await kindOf([one, two], [two])).toBe('held');
    expect([await usedOf(one), await usedOf(two)]).toEqual([5n, 5n]);
  });

  test('counts what landed at its cost, gives back what does not land, and counts again what a reorganisation brings back', async () => {
    const limit = budget('one', 10n);
    const sender = numberedAddress(7);
    expect(await kindOf([limit], [limit], { sender, nonce: 1n })).toBe('held');
    expect(await kindOf([limit], [limit], { sender, nonce: 2n })).toBe('held');
    expect(await kindOf([limit], [limit])).toBe('limited');
    await post(ledger.store, [landedEvent(7, 1n, 2n)]);
    expect(await usedOf(limit)).toBe(7n);
    await expire();
    expect(await usedOf(limit)).toBe(2n);
    const rows = ledger.store.db
      .insertInto('contract_watches')
      .values({ chain_id: chainId, contract, next_block: 1_000, last_hash: '' });
    await rows
      .onConflict((conflict) => conflict.columns(['chain_id', 'contract']).doUpdateSet({ next_block: 1_000 }))
      .execute();
    const way = { chainId, contract, watchBefore: 1_000n, toBlock: 0n, nextBlock: 1n, lastHash: '' } as const;
    await ledger.store.transaction((trx) => takeBack(trx, way, lab.now));
    expect(await usedOf(limit)).toBe(5n);
    expect(await kindOf([limit], [limit], { amount: 6n })).toBe('limited');
  });

  test('is one whichever policy is chosen, and gives back under each', async () => {
    const policyId = 'tfp_game';
    await ledger.store.db
      .insertInto('named_policies')
      .values({
        ...{ policy_id: policyId, paymaster_id: paymasterId, name: policyId, enabled: 1 },
        ...{ policy: policyText(defaultPolicy), created_at: lab.now, updated_at: lab.now },
      })
      .execute();
    const limit = budget('one', 10n);
    expect(await kindOf([limit], [limit], { policyId })).toBe('held');
    expect(await kindOf([limit], [limit], { validUntil: lab.now + 3_000 })).toBe('held');
    expect(await kindOf([limit], [limit])).toBe('limited');
    expect(await kindOf([limit], [limit], { policyId })).toBe('limited');
    expect([await usedOf(limit), await usedOf(limit, policyId)]).toEqual([10n, 10n]);
    await expire();
    expect([await usedOf(limit), await usedOf(limit, policyId)]).toEqual([5n, 5n]);
    expect(await kindOf([limit], [limit], { policyId, amount: 6n })).toBe('limited');
    expect(await kindOf([limit], [limit], { policyId })).toBe('held');
  });

  test('counts an operation whole that its webhook had agreed to before, and what is added once it went without', async () => {
    const limit = budget('one', 20n);
    const nonce = 1_000_000n;
    expect(await kindOf([limit], [], { nonce, amount: 7n })).toBe('held');
    expect(await kindOf([limit], [limit], { nonce, amount: 5n })).toBe('held');
    expect(await usedOf(limit)).toBe(7n);
    // The webhook answers again: no one knows which of the signatures lands.
    expect(await kindOf([limit], [], { nonce, amount: 19n })).toBe('held');
    expect(await usedOf(limit)).toBe(19n);
    expect(await kindOf([limit], [], { nonce, amount: 21n })).toBe('limited');
    await expire();
    expect(await usedOf(limit)).toBe(0n);
    // All at once, in one transaction.
    const other = { nonce: nonce + 1n };
    const asked = [ask([limit], [], other), ask([limit], [limit], other), ask([limit], [], { ...other, amount: 9n })];
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(['held', 'held', 'held']);
    expect(await usedOf(limit)).toBe(9n);
  });

  test('forgets what was counted before its webhook was changed, and what ends of that takes nothing off', async () => {
    const [before, after] = [budget('one', 5n), budget('one', 5n, { era: 1 })];
    expect(await kindOf([before], [before])).toBe('held');
    expect(await kindOf([before], [before])).toBe('limited');
    expect(await kindOf([after], [after], { validUntil: lab.now + 3_000 })).toBe('held');
    await expire();
    expect(await usedOf(after)).toBe(5n);
    expect(await kindOf([after], [after])).toBe('limited');
  });

  test('leaves limits of contracts alone, and is not forgotten with those of a policy', async () => {
    const mints = { contract: numberedAddress(0xa1), method: 'mint' } as const;
    const mintLimit = { per: 'total', window: 'day', unit: 'wei', max: 12n, ...mints } as const;
    const limits = [mintLimit];
    await ledger.store.db
      .insertInto('policies')
      .values({ paymaster_id: paymasterId, policy: policyText({ ...defaultPolicy, limits }), updated_at: lab.now })
      .execute();
    const limit = budget('one', 10n);
    const calls = new Map([
      [limit.webhook.key, 1],
      [calledKey(mints) ?? '', 1],
    ]);
    expect(await kindOf([limit], [limit], { calls })).toBe('held');
    const justMint = new Map([...calls, [limit.webhook.key, 0]]);
    expect(await kindOf([limit], [], { calls: justMint })).toBe('held');
    expect(await kindOf([limit], [], { calls: justMint })).toBe('limited');
    expect(await usedOf(limit)).toBe(5n);
    await ledger.store.transaction((trx) =>
      forgetUnusedUsage(
        trx,
        { paymasterId, policyId: '' },
        { before: { ...defaultPolicy, limits }, after: defaultPolicy },
        [],
      ),
    );
    const kept = await ledger.store.db.selectFrom('limit_usage').select('subject').execute();
    expect(kept).toEqual([{ subject: `called:${limit.webhook.key}:` }]);
  });

  test('refuses while no one knows what is left of it', () => {
    const ruling = ruleOnLimit({ limit: budget('one', 1_000n), windowStart: noon, used: undefined, asked: 1n });
    expect(ruling.refusal).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE', details: { webhookId: 'one' } });
  });

  test('does not count what users pay for', async () => {
    const limit = budget('one', 0n);
    expect(await kindOf([limit], [limit], { mode: 'ERC20' })).toBe('held');
    expect(await usedOf(limit)).toBe(0n);
  });

  test('has no key that a limit of a contract could have', () => {
    const keys = [budgetKey('one', 0), budgetKey('one', 1), budgetKey('two', 0), budgetKey('one1', 0)];
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) {
      expect(key).toHaveLength(40);
      expect(key).not.toMatch(/^[0-9a-f]+$/);
    }
  });
});
