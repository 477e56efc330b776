import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { createReadPolicyUse } from '../../core/management/policies/read-policy-use.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { accepted, refusalOf } from '../support/core/start-management.ts';
import { noon, useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const { ledger, paymasterId, accountId, ask, clock } = lab;
const midnight = noon + 12 * 3_600;

const read = (of: object = {}) =>
  createReadPolicyUse(ledger.store, clock).readPolicyUse({ accountId, paymasterId, ...of });

test('says what all together have used of a limit in its window, and who has used most of one per sender', async () => {
  await setPolicyLimits(ledger.store, paymasterId, [
    { per: 'total', window: 'day', unit: 'usdMicros', max: 1_000_000n },
    { per: 'sender', window: 'ever', unit: 'operations', max: 10n },
    { per: 'total', window: 'ever', unit: 'wei', max: 1_000n },
  ]);
  expect(accepted(await read()).map(({ used }) => used)).toEqual(['0.00', '0', '0']);
  // A coin is 2,000 USD, so 5 wei are a millionth of a USD.
  const usdMicrosPerCoin = 2_000_000_000n;
  for (const sender of [1, 2, 2]) await ask({ sender: numberedAddress(sender), usdMicrosPerCoin });
  const [inUsd, perSender, inWei] = accepted(await read());
  expect(inUsd).toEqual({ limit: 0, used: '0.000003', until: midnight });
  expect(perSender).toMatchObject({ limit: 1, used: '2' });
  expect(perSender?.sender?.toLowerCase()).toBe(numberedAddress(2).toLowerCase());
  expect(inWei).toEqual({ limit: 2, used: '15' });
  lab.now = midnight;
  expect(accepted(await read()).map(({ used }) => used)).toEqual(['0.00', '2', '15']);
});

test('of a limit per sender is that of the window alone', async () => {
  const limits = [{ per: 'sender', window: 'day', unit: 'operations', max: 10n }] as const;
  await setPolicyLimits(ledger.store, paymasterId, limits);
  for (const sender of [1, 1, 2]) await ask({ sender: numberedAddress(sender) });
  expect(accepted(await read())).toEqual([{ limit: 0, used: '2', sender: numberedAddress(1), until: midnight }]);
  lab.now = midnight;
  expect(accepted(await read())).toEqual([{ limit: 0, used: '0', until: midnight + 86_400 }]);
  await ask({ sender: numberedAddress(2) });
  expect(accepted(await read())).toMatchObject([{ used: '1', sender: numberedAddress(2) }]);
});

test('is about a paymaster and a policy of the account only', async () => {
  expect(accepted(await read())).toEqual([]);
  expect(refusalOf(await read({ accountId: 'another' }))).toContain('PAYMASTER_NOT_FOUND');
  expect(refusalOf(await read({ policyId: 'tfp_none' }))).toContain('POLICY_NOT_FOUND');
});

test('has the database search for who has used most, and says nothing of more than 10,000 who have used a limit', async () => {
  const limits = [{ per: 'sender', window: 'day', unit: 'wei', max: 10n }] as const;
  await setPolicyLimits(ledger.store, paymasterId, limits);
  for (const sender of [1, 2, 3, 4, 5, 6]) await ask({ sender: numberedAddress(sender), amount: BigInt(sender) });
  let rows = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rows += result.rows.length;
      return result;
    },
  };
  const store = { ...ledger.store, db: ledger.store.db.withPlugin(counting) };
  const [most] = accepted(await createReadPolicyUse(store, clock).readPolicyUse({ accountId, paymasterId }));
  expect(most?.sender).toBe(numberedAddress(6));
  expect(most?.used).toBe('6');
  // The paymaster, the policy, the limit's number and the account: rows of each sender would be six.
  expect(rows).toBeLessThan(6);

  const { limit_id } = await ledger.store.db.selectFrom('limit_numbers').select('limit_id').executeTakeFirstOrThrow();
  await fillAccounts(limit_id, 10_001);
  expect(accepted(await read())).toEqual([{ limit: 0, until: midnight }]);
});

/** Accounts of a limit in a window that has ended, for senders of their own. */
async function fillAccounts(limitId: number, count: number): Promise<void> {
  const window = noon - 36 * 3_600;
  const rows = Array.from({ length: count }, (_, index) => ({
    account_id: 1_000_000 + index,
    name: `limit/${limitId}/${numberedAddress(1_000 + index)}/${window}`,
    count: 1,
    amount: '5',
    base_count: 1,
    base_amount: '5',
    kept_until: null,
  }));
  await ledger.store.transaction(async (trx) => {
    while (rows.length > 0) await trx.insertInto('ledger_accounts').values(rows.splice(0, 500)).execute();
  });
}
