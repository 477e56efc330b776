import { http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import {
  approveCall,
  depositOf,
  incrementsOf,
  mint,
  nextOperation,
  targetCall,
  tokenBalance,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { recordLanding } from '../support/chain/landings.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { maximumOf, quoteFor } from '../support/service/chain-sponsorship.ts';
import {
  type ClientLab,
  chainClient,
  expectSponsored,
  openClientLab,
  simpleAccount,
} from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;

beforeAll(async () => {
  // With gRPC between gateway and core, as two processes have it; other tests here do without.
  lab = await openClientLab({ handle: 'grpc' });
}, 60_000);

afterAll(() => lab.close());

/** The client as an application makes it: bundler on one address, paymaster on another. */
async function openClient(
  version: EntryPointVersion,
  paymasterContext?: unknown,
  owner = privateKeyToAccount(freshKey()),
) {
  const account = await simpleAccount(lab.devnet, version, owner);
  const client = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymasterClient({ transport: http(lab.paymaster(version).rpcUrl, { retryCount: 0 }) }),
    paymasterContext,
    pollingInterval: 20,
  });
  const send = async (functionName: 'increment' | 'fail' = 'increment') => {
    const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, functionName)] });
    return client.waitForUserOperationReceipt({ hash });
  };
  return { account, client, send };
}

const own = {
  mode: 'SPONSORED',
  calculateGasLimits: true,
  sponsorshipInfo: { webhookData: { user: 7 }, smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } },
};

describe.each(tabledEntryPoints)('viem with EntryPoint %s', (version) => {
  test.each<[string, (policyId: string) => unknown]>([
    ['no context', () => undefined],
    ['an empty one', () => ({})],
    ["the interface's own", (policyId) => ({ ...own, policyId })],
    ["Pimlico's", (sponsorshipPolicyId) => ({ sponsorshipPolicyId, validForSeconds: 120 })],
    ["Alchemy's", (policyId) => ({ policyId })],
  ])('lands an operation that deploys the account, and the next one, with %s', async (_, contextWith) => {
    const { account, send } = await openClient(version, contextWith(lab.policyId(version)));
    await expectSponsored(lab, version, account.address, 'viem', () => send());
    await expectSponsored(lab, version, account.address, 'viem', () => send());
  });

  test.each(rowsOfRun([6, 18], 1))(
    'lands an operation that pays in a token with %i decimals, within the quote',
    async (decimals) => {
      const { devnet } = lab;
      const token = tokenWith(devnet, decimals);
      const { address, rpcUrl } = lab.paymaster(version);
      const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: token.address } };
      const owner = privateKeyToAccount(freshKey());
      const { account, client } = await openClient(version, context, owner);
      await mint(devnet, token, account.address, 1_000n * 10n ** BigInt(decimals));
      const callsWith = (max: bigint) => [approveCall(token, address, max), targetCall(devnet, 'increment')];
      const drafted = await nextOperation(devnet, { version, owner }, callsWith(1n));
      const { maxFeePerGas, maxPriorityFeePerGas } = drafted;
      const quoted = maximumOf(await quoteFor(rpcUrl, drafted, { token: token.address }));
      const read = async () => ({
        deposit: await depositOf(devnet, version, address),
        increments: await incrementsOf(devnet, account.address),
        tokens: await tokenBalance(devnet, token, account.address),
      });
      const before = await read();
      const hash = await client.sendUserOperation({ calls: callsWith(quoted), maxFeePerGas, maxPriorityFeePerGas });
      const receipt = await client.waitForUserOperationReceipt({ hash });
      const after = await read();
      expect(receipt.success).toBe(true);
      await recordLanding(devnet, {
        client: 'viem',
        family: devnetFamilies[version],
        entryPoint: version,
        mode: 'ERC20',
        outcome: { ...receipt, transactionHash: receipt.receipt.transactionHash },
        calls: { made: 1n, arrived: after.increments - before.increments },
        depositFell: before.deposit - after.deposit,
        tokens: { paid: before.tokens - after.tokens, quoted },
      });
    },
  );

  test('gets code and message of a refusal at the stub, before the bundler is asked to estimate', async () => {
    const { send } = await openClient(version);
    const before = lab.bundler.methods.filter((method) => method === 'eth_estimateUserOperationGas').length;
    const refused = await send('fail').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32013, message: expect.stringContaining('is not whitelisted') });
    const after = lab.bundler.methods.filter((method) => method === 'eth_estimateUserOperationGas').length;
    expect(after).toBe(before);
  });
});
