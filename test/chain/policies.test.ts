import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  incrementsOf,
  newSmartAccount,
  nextOperation,
  plainLimits,
  type SmartAccount,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land, landAndCompare } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { askQuotes, askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A funded paymaster of a new account, and the client that manages it. */
async function newPaymaster(version: EntryPointVersion): Promise<DevPaymaster & { client: ManagementClient }> {
  const { authToken } = await service.issueAccount();
  const paymaster = await service.fundedPaymaster(authToken, version);
  return {
    ...paymaster,
    client: createManagementClient({ baseUrl: service.url, authToken, apiKey: paymaster.apiKey }),
  };
}

/** The account's next operation; with limits of its own where they are to be given. */
async function operationOf(account: SmartAccount, calls: readonly DevCall[], given = false): Promise<DevUserOperation> {
  const built = await nextOperation(service.devnet, account, calls);
  return given ? { ...built, ...plainLimits(built.initCode === '0x' ? 'deployed' : 'undeployed') } : built;
}

const failing = () => [targetCall(service.devnet, 'fail')];

describe.each(tabledEntryPoints)('EntryPoint %s: an operation whose own call reverts', (version) => {
  test('is refused until the policy allows it; then it is signed, lands without success, and is paid', async () => {
    const { rpcUrl, client } = await newPaymaster(version);
    const other = await newPaymaster(version);
    for (const { client: each } of [{ client }, other]) await each.setPolicy({ policy: { sponsorAllCalls: true } });
    const account = newSmartAccount(version);
    const first = await operationOf(account, [targetCall(service.devnet, 'increment')]);
    await land(service.devnet, account, withAnswer(first, await sponsor(rpcUrl, first)));

    for (const calculateGasLimits of [true, false]) {
      const operation = await operationOf(account, failing(), !calculateGasLimits);
      const wish = { calculateGasLimits };
      expect((await askSponsorship(rpcUrl, operation, wish)).reason).toBe('ESTIMATION_FAILED');
      await client.setPolicy({ policy: { sponsorAllCalls: true, allowRevertingOperations: true } });
      const signed = withAnswer(operation, await sponsor(rpcUrl, operation, wish));
      expect((await askSponsorship(other.rpcUrl, operation, wish)).reason, 'for another paymaster').toBe(
        'ESTIMATION_FAILED',
      );
      const landing = await landAndCompare(service.devnet, account, signed, tokenWith(service.devnet, 6));
      expect(landing.outcome.success).toBe(false);
      expect(landing.paymasterPaid).toBe(landing.outcome.actualGasCost);
      expect(landing.accountPaid).toBe(0n);
      await client.setPolicy({ policy: { sponsorAllCalls: true } });
    }
  });

  test('is not quoted in tokens, whatever the policy says', async () => {
    const { rpcUrl, client } = await newPaymaster(version);
    await client.setPolicy({ policy: { sponsorAllCalls: true, allowRevertingOperations: true } });
    const operation = await operationOf(newSmartAccount(version), failing());
    expect((await askQuotes(rpcUrl, operation)).reason).toBe('ESTIMATION_FAILED');
  });
});

test('a call to a contract that is not registered lands once the policy sponsors all calls', async () => {
  const { rpcUrl, client } = await newPaymaster('0.7');
  await client.deleteSmartContract({ address: service.devnet.target.address });
  const account = newSmartAccount('0.7');
  const operation = await operationOf(account, [targetCall(service.devnet, 'increment')]);
  expect((await askSponsorship(rpcUrl, operation)).reason).toBe('NO_POLICIES');
  await client.setPolicy({ policy: { sponsorAllCalls: true } });
  const outcome = await land(service.devnet, account, withAnswer(operation, await sponsor(rpcUrl, operation)));
  expect(outcome.success).toBe(true);
  expect(await incrementsOf(service.devnet, operation.sender)).toBe(1n);
});

test('an operation that only deploys its account lands once the policy allows it', async () => {
  const { rpcUrl, client } = await newPaymaster('0.7');
  const account = newSmartAccount('0.7');
  const operation = { ...(await operationOf(account, [])), callData: '0x' } as const;
  expect((await askSponsorship(rpcUrl, operation)).reason).toBe('METHOD_NOT_WHITELISTED');
  await client.setPolicy({ policy: { allowAccountDeployment: true } });
  const outcome = await land(service.devnet, account, withAnswer(operation, await sponsor(rpcUrl, operation)));
  expect(outcome.success).toBe(true);
  expect(await service.devnet.client.getCode({ address: operation.sender })).toMatch(/^0x.+/);
});
