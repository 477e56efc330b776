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

test('is about a paymaster and a policy of the account only', async () => {
  expect(accepted(await read())).toEqual([]);
  expect(refusalOf(await read({ accountId: 'another' }))).toContain('PAYMASTER_NOT_FOUND');
  expect(refusalOf(await read({ policyId: 'tfp_none' }))).toContain('POLICY_NOT_FOUND');
});
