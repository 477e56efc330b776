import { createSmartAccountClient } from 'permissionless';
import { type Hex, http } from 'viem';
import { createBundlerClient, type UserOperation } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { SponsorshipRefusedError } from '../../clients/sdk/errors/errors.ts';
import type { PaymasterContext } from '../../clients/sdk/sponsor/sponsorship-context.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
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
});
afterAll(() => lab?.close());

const clients = { viem: openViemClient, permissionless: openPermissionlessClient } as const;

async function openViemClient(version: EntryPointVersion, context?: PaymasterContext) {
  const account = await simpleAccount(lab.devnet, version);
  const client = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymaster(openSponsor(version), { paymasterContext: context }),
    pollingInterval: 20,
  });
  return { account, client };
}

async function openPermissionlessClient(version: EntryPointVersion, context?: PaymasterContext) {
  const account = await simpleAccount(lab.devnet, version);
  const client = createSmartAccountClient({
    account,
    client: chainClient(lab.devnet),
    bundlerTransport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymaster(openSponsor(version), { paymasterContext: context }),
    pollingInterval: 20,
  });
  return { account, client };
}

function openSponsor(version: EntryPointVersion) {
  return createSponsorClient({ url: lab.paymaster(version).rpcUrl });
}

/** What a call was rejected with; nothing when it was not. */
function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

const newestFirst = entryPointVersions.toReversed();

describe.each(['viem', 'permissionless'] as const)('the paymaster in a client of %s', (library) => {
  test.each(rowsOfRun(newestFirst, 2))(
    'sponsors the deployment and the next operation with EntryPoint %s',
    async (version) => {
      const { account, client } = await clients[library](version);
      for (let count = 0; count < 2; count += 1) {
        await expectSponsored(lab, version, account.address, 'clients/sdk', async () => {
          const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
          return client.waitForUserOperationReceipt({ hash });
        });
      }
    },
  );

  test('rejects with the refusal itself, before the operation is sent', async () => {
    const { client } = await clients[library]('0.7');
    const sent = () => lab.bundler.methods.filter((method) => method === 'eth_sendUserOperation').length;
    const before = sent();
    const refused = await rejectionOf(client.sendUserOperation({ calls: [targetCall(lab.devnet, 'fail')] }));
    expect(refused).toBeInstanceOf(SponsorshipRefusedError);
    expect(refused).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED', code: -32013 });
    expect(sent()).toBe(before);
  });

  test("an operation that says who pays is not told otherwise by the paymaster's context", async () => {
    const { client } = await clients[library]('0.7', { token: lab.devnet.target.address });
    const calls = [targetCall(lab.devnet, 'increment')];
    expect(await rejectionOf(client.sendUserOperation({ calls }))).toMatchObject({ reason: 'TOKEN_NOT_SUPPORTED' });
    const paymasterContext: PaymasterContext = { mode: 'SPONSORED' };
    const hash = await client.sendUserOperation({ calls, paymasterContext });
    expect((await client.waitForUserOperationReceipt({ hash })).success).toBe(true);
  });
});

describe.each(rowsOfRun(newestFirst, 2))('the actions with EntryPoint %s', (version) => {
  const chain = () => ({ chainId: lab.devnet.chainId, entryPointAddress: lab.devnet.entryPoints[version] });

  async function draft() {
    const { client } = await openViemClient(version);
    const parameters = ['factory', 'fees', 'nonce', 'signature'] as const;
    const prepared = await client.prepareUserOperation({ calls: [targetCall(lab.devnet, 'increment')], parameters });
    const { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas } = prepared;
    const shared = { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, ...chain() };
    // Both forms are read off one object whose type does not know the version.
    const { initCode, factory, factoryData } = prepared as { initCode?: Hex; factory?: Hex; factoryData?: Hex };
    if (initCode !== undefined) return { ...shared, initCode };
    return { ...shared, ...(factory === undefined || factoryData === undefined ? {} : { factory, factoryData }) };
  }

  test('a stub says who sponsors, and has the fields of the EntryPoint', async () => {
    const stub = await openSponsor(version).getPaymasterStubData(await draft());
    expect(stub.sponsor).toEqual({ name: `dev-${version}` });
    const { address } = lab.paymaster(version);
    if (version === '0.6') expect(stub.paymasterAndData?.slice(0, 42).toLowerCase()).toBe(address.toLowerCase());
    else expect(stub).toMatchObject({ paymaster: address, paymasterPostOpGasLimit: expect.any(BigInt) });
  });

  test('signed data carries gas limits where the request has none, and is refused where they are forbidden', async () => {
    const sponsor = openSponsor(version);
    for (const more of [{}, { context: { calculateGasLimits: true } }]) {
      const signed = await sponsor.getPaymasterData({ ...(await draft()), ...more });
      expect(signed.callGasLimit).toBeGreaterThan(0n);
      expect(signed.verificationGasLimit).toBeGreaterThan(0n);
      expect(signed.preVerificationGas).toBeGreaterThan(0n);
    }
    const forbidden = { ...(await draft()), context: { calculateGasLimits: false } };
    const refused = await rejectionOf(sponsor.getPaymasterData(forbidden));
    expect(refused).toMatchObject({ name: 'SponsorshipRefusedError', reason: 'INVALID_PARAMS', field: 'callGasLimit' });
  });

  test('an operation that viem prepares without gas lands with the limits of the service', async () => {
    const { account, client } = await openViemClient(version, { calculateGasLimits: true });
    const estimates = () => lab.bundler.methods.filter((method) => method === 'eth_estimateUserOperationGas').length;
    const before = estimates();
    await expectSponsored(lab, version, account.address, 'clients/sdk', async () => {
      const prepared = await client.prepareUserOperation({
        calls: [targetCall(lab.devnet, 'increment')],
        parameters: ['factory', 'fees', 'nonce', 'paymaster', 'signature'],
      });
      const signature = await account.signUserOperation(prepared as UserOperation);
      const hash = await client.sendUserOperation({ ...(prepared as UserOperation), signature });
      return client.waitForUserOperationReceipt({ hash });
    });
    expect(estimates()).toBe(before);
  });

  test('tokens, their rates and the EntryPoint are those of the paymaster', async () => {
    const sponsor = openSponsor(version);
    expect(await sponsor.getSupportedEntryPoints()).toEqual([lab.devnet.entryPoints[version]]);
    const supported = await sponsor.getSupportedTokens();
    expect(supported.map(({ token, symbol, decimals }) => ({ address: token, symbol, decimals }))).toEqual(
      lab.devnet.tokens,
    );
    const tokens = supported.map(({ token }) => token);
    const rates = await sponsor.getTokenQuotes({ tokens: [...tokens, lab.devnet.target.address], ...chain() });
    // Development prices: 2,000 USD for the coin, 2.50 USD for the token of 18 decimals, 1 USD for that of 6; 10 % on top.
    expect(Object.fromEntries(rates.map(({ token, exchangeRate }) => [token, exchangeRate]))).toEqual(
      Object.fromEntries(
        supported.map(({ token, symbol }) => [token, symbol === 'devUSD' ? 2_200n * 10n ** 6n : 880n * 10n ** 18n]),
      ),
    );
    for (const rate of rates) {
      expect(rate).toMatchObject({
        paymaster: lab.paymaster(version).address,
        exchangeRateNativeToUsd: 2_000n * 10n ** 6n,
        // Of the development chain's token.
        balanceSlot: 3n,
        allowanceSlot: 4n,
      });
      expect(rate.postOpGas).toBeGreaterThan(0n);
    }
  });
});
