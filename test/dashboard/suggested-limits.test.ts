import type { PolicyRequest } from '@tollfree/contract/policy';
import { expect, test } from 'vitest';
import { policyTemplates, withTemplate } from '../../clients/dashboard/pages/policy/policy-templates.ts';
import { recentCostsOf } from '../../clients/dashboard/pages/policy/recent-costs.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { useService } from '../support/interface/use-service.ts';
import { sponsor } from '../support/service/chain-sponsorship.ts';

const service = useService();
const version = '0.8';

test('the amounts of templates refuse none of the last week’s operations', async () => {
  const { devnet } = service();
  const { authToken } = await service().issueAccount();
  const { apiKey, rpcUrl } = await service().fundedPaymaster(authToken, version);
  const management = service().managementOf(authToken);
  const listSigned = async () => (await management.listDecisions({ apiKey, outcome: 'signed', limit: 200 })).decisions;
  // Operations deploy their accounts, whose sender has many more than others.
  const [busy, other] = [newSmartAccount(version), newSmartAccount(version)];
  const call = targetCall(devnet, 'increment');
  // The service reads the price of the coin in the background.
  await expect
    .poll(async () => {
      await sponsor(rpcUrl, await nextOperation(devnet, newSmartAccount(version), [call]));
      return (await listSigned())[0]?.facts?.usdMicrosPerCoin;
    })
    .toBeDefined();
  await sponsor(rpcUrl, await nextOperation(devnet, other, [call, call, call]));
  const drafted = await nextOperation(devnet, busy, [call]);
  for (let key = 0n; key < 12n; key += 1n) await sponsor(rpcUrl, { ...drafted, nonce: key << 64n });

  const [decisions, days, senders] = await Promise.all([
    listSigned(),
    management.getUsage({ apiKey, by: 'day' }),
    management.getUsage({ apiKey, by: 'sender' }),
  ]);
  const priced = decisions.filter(({ facts }) => facts?.usdMicrosPerCoin !== undefined);
  const costs = recentCostsOf({ decisions, days, senders });
  expect(costs).toMatchObject({ mostOfSenderInDay: 12, mostOfSender: 12 });
  const { etag: _, ...policy } = await management.readPolicy({ apiKey });
  const refusedBy = async (templates: ReturnType<typeof policyTemplates>, name: string) => {
    const { fields = {} } = templates.find((each) => each.name === name) ?? {};
    const proposed = withTemplate(policy, fields) as PolicyRequest;
    return (await management.previewPolicy({ apiKey, policy: proposed, last: 200 })).cutOff.length;
  };
  // The amounts for a paymaster without operations refuse some here, or all where the chain is expensive.
  expect(await refusedBy(policyTemplates(), 'Careful start')).toBeGreaterThan(0);
  expect(await refusedBy(policyTemplates(), 'Campaign')).toBe(9);
  expect(priced.length).toBeGreaterThanOrEqual(13);
  expect(await refusedBy(policyTemplates(costs), 'Careful start')).toBe(0);
  expect(await refusedBy(policyTemplates(costs), 'Campaign')).toBe(0);
});
