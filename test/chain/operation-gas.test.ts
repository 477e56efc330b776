import { expect, test } from 'vitest';
import { newSmartAccount, nextOperation, plainLimits, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { useService } from '../support/interface/use-service.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';

const service = useService({
  configure: (config) => ({
    ...config,
    chains: config.chains.map((chain) => ({
      ...chain,
      accounts: { gas: { KNOWN: { deployment: 100_000n, verification: 90_000n }, ANY: { call: 20_000n } } },
    })),
  }),
});

test('the gas of one operation is capped as the operator says, for each setting of the policy', async () => {
  const { devnet } = service();
  const { authToken } = await service().issueAccount();
  const { rpcUrl, apiKey } = await service().fundedPaymaster(authToken, '0.7');
  const setAccounts = (accounts: 'KNOWN' | 'ANY') =>
    service().managementOf(authToken).setPolicy({ apiKey, policy: { accounts } });
  const account = newSmartAccount('0.7');
  const next = () => nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const refusal = { httpStatus: 422, code: -32013, reason: 'LIMIT_EXCEEDED' };

  const deployment = await next();
  const refused = await askSponsorship(rpcUrl, deployment);
  expect(refused).toMatchObject(refusal);
  expect(refused.message).toMatch(/^verificationGasLimit is \d+ gas\. At most 100000 is signed/);
  await setAccounts('ANY');
  expect((await askSponsorship(rpcUrl, deployment)).message).toMatch(/^callGasLimit is \d+ gas\. At most 20000/);
  const empty = await nextOperation(devnet, account, []);
  await service()
    .managementOf(authToken)
    .setPolicy({
      apiKey,
      policy: { accounts: 'ANY', allowAccountDeployment: true },
    });
  await land(devnet, account, withAnswer(empty, await sponsor(rpcUrl, empty)));

  await setAccounts('KNOWN');
  const given = { ...(await next()), ...plainLimits('deployed') };
  const asGiven = { calculateGasLimits: false };
  const lowered = await sponsor(rpcUrl, { ...given, verificationGasLimit: 120_000n }, asGiven);
  expect(BigInt(lowered.verificationGasLimit ?? 0)).toBeLessThan(100_000n);
  expect(await sponsor(rpcUrl, { ...given, verificationGasLimit: 90_000n }, asGiven)).toMatchObject({
    MODE: 'SPONSORED',
  });
});
