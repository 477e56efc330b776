import { biconomySponsoredPaymasterContext, createBicoPaymasterClient } from '@biconomy/abstractjs';
import { createSmartAccountClient } from 'permissionless/clients';
import { concat, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { askPaymaster, paymasterFields, withPaymaster } from '../support/service/ask-paymaster.ts';
import {
  type ClientLab,
  chainClient,
  expectSponsored,
  openClientLab,
  simpleAccount,
} from '../support/service/client-lab.ts';

let lab: ClientLab;

beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);

afterAll(() => lab.close());

const plain = { retryCount: 0 };
const wayOf = (version: (typeof entryPointVersions)[number]) => ({ version, rpcUrl: lab.paymaster(version).rpcUrl });
const estimate = { calculateGasLimits: true };

describe('published clients that ask for final data without limits', () => {
  test.each(entryPointsOfRun)('viem estimates gas with a paymaster on EntryPoint %s', async (version) => {
    const account = await simpleAccount(lab.devnet, version);
    const client = createBundlerClient({
      account,
      client: chainClient(lab.devnet),
      transport: http(lab.bundler.url, plain),
      paymaster: createPaymasterClient({ transport: http(lab.paymaster(version).rpcUrl, plain) }),
    });
    const gas = await client.estimateUserOperationGas({ calls: [targetCall(lab.devnet, 'increment')] });
    expect(gas.callGasLimit).toBeGreaterThan(20_000n);
    expect(gas.verificationGasLimit).toBeGreaterThan(20_000n);
  });

  test.each([
    ['without a context', undefined],
    ['with the context that the package exports, which names a BICONOMY account', biconomySponsoredPaymasterContext],
  ])("permissionless lands with Biconomy's paymaster client %s", async (_, paymasterContext) => {
    const version = '0.7';
    const account = await simpleAccount(lab.devnet, version);
    const paymasterUrl = lab.paymaster(version).rpcUrl.replace('/api/v1/', '/api/v2/');
    const client = createSmartAccountClient({
      account,
      client: chainClient(lab.devnet),
      bundlerTransport: http(lab.bundler.url, plain),
      paymaster: createBicoPaymasterClient({ paymasterUrl }) as unknown as true,
      paymasterContext,
      pollingInterval: 20,
    });
    await expectSponsored(lab, version, account.address, 'permissionless', async () => {
      const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
      return client.waitForUserOperationReceipt({ hash });
    });
  });
});

describe('a kind of account that the client names', () => {
  const ask = async (info: object, callData?: Hex) => {
    const operation = await nextOperation(lab.devnet, newSmartAccount('0.7'), [targetCall(lab.devnet, 'increment')]);
    const context = { ...estimate, sponsorshipInfo: { smartAccountInfo: info } };
    const extra = callData === undefined ? {} : { callData };
    return askPaymaster(lab, 'pm_getPaymasterData', wayOf('0.7'), { operation, context, extra });
  };

  test.each([
    { name: 'BICONOMY', version: '1.0.0' },
    { name: 'SAFE', version: '1.4.1' },
    { name: 'NONE', version: '1' },
  ])('does no harm if it is wrong and the calls are readable without it: %j', async (info) => {
    expect(paymasterFields(await ask(info)).paymasterData).toMatch(/^0x/);
  });

  test('is refused if it is unknown and the calls cannot be read', async () => {
    expect(await ask({ name: 'NONE', version: '1' }, '0x12345678')).toMatchObject({ reason: 'INVALID_PARAMS' });
    const answer = await ask({ name: 'SAFE', version: '1.4.1' }, '0x12345678');
    expect(answer).toMatchObject({ reason: 'CALL_NOT_UNDERSTOOD' });
  });
});

test('the reason is that of the kind of account whose method it is', async () => {
  const operation = await nextOperation(lab.devnet, newSmartAccount('0.7'), [targetCall(lab.devnet, 'increment')]);
  const extra = { callData: concat([operation.callData, '0x0102030405']) };
  const answer = await askPaymaster(lab, 'pm_getPaymasterData', wayOf('0.7'), { operation, extra });
  expect(answer.message).toBe("The operation's callData could not be read: more data follows than the calls need.");
});

describe('call data that cannot be read', () => {
  const wide = { sponsorAllCalls: true, accounts: 'ANY' } as const;
  const reading = async (policy: object) => {
    const paymaster = lab.paymaster('0.7');
    const management = lab.service.managementOf(lab.authToken);
    await management.setPolicy({ apiKey: paymaster.apiKey, policy });
    const account = newSmartAccount('0.7');
    const operation = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
    const way = { version: '0.7', rpcUrl: paymaster.rpcUrl } as const;
    // A method of the account that makes no calls which a decoder knows.
    const unread = { ...operation, callData: encodeFunctionData({ abi: parseAbi(['function addDeposit()']) }) };
    const answer = await askPaymaster(lab, 'pm_getPaymasterData', way, { operation: unread });
    return { account, unread, answer };
  };

  test('lands with the widest policy', async () => {
    const { account, unread, answer } = await reading(wide);
    expect((await land(lab.devnet, account, withPaymaster(unread, paymasterFields(answer)))).success).toBe(true);
  });

  test.each([
    ['accounts of known code only', { ...wide, accounts: 'KNOWN' }],
    ['registered contracts only', { ...wide, sponsorAllCalls: false }],
  ])('is refused by a policy for %s', async (_, policy) => {
    expect((await reading(policy)).answer).toMatchObject({ reason: 'CALL_NOT_UNDERSTOOD' });
  });

  test('is refused by a policy with a limit, a rule or a cap on a contract', async () => {
    const contract = lab.devnet.target.address;
    const limits = [{ per: 'TOTAL', window: 'DAY', unit: 'OPERATIONS', max: '1', contract }];
    const callRules = [{ contract, method: 'increment', where: [{ argument: 'msg.value', is: '0' }] }];
    const methodGas = [{ contract, maxCallGas: 1_000_000 }];
    for (const more of [{ limits }, { callRules }, { methodGas }]) {
      expect((await reading({ ...wide, ...more })).answer).toMatchObject({ reason: 'CALL_NOT_UNDERSTOOD' });
    }
  });
});
