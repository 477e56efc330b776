import { CandidePaymaster, SafeAccountV0_3_0 } from 'abstractionkit';
import { toSafeSmartAccount } from 'permissionless/accounts';
import { type Address, type Hex, http, padHex } from 'viem';
import { createBundlerClient, createPaymasterClient, type UserOperationReceipt } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { safe141Contracts } from '../support/accounts/matrix-accounts.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type ClientLab, chainClient, expectSponsored, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
  await safe141Contracts(lab.devnet);
}, 60_000);
afterAll(() => lab.close());

const plain = { retryCount: 0 };

/** An identifier of this size: its prefix and version, then hashes. */
const identifierOf = (bytes: number): Hex => padHex('0x5afe00', { size: bytes, dir: 'right' });

function clientOf(account: Awaited<ReturnType<typeof toSafeSmartAccount>>) {
  return createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, plain),
    paymaster: createPaymasterClient({ transport: http(lab.paymaster('0.7').rpcUrl, plain) }),
    pollingInterval: 20,
  });
}

/** The call data of the bundle, with that of its operation. */
async function bundleOf(hash: Hex): Promise<Hex> {
  const { input } = await lab.devnet.client.getTransaction({ hash });
  return input;
}

describe("an operation with Safe's on-chain identifier", () => {
  test.each(rowsOfRun([50, 16, 32], 1))('of %i bytes lands when permissionless sends it', async (bytes) => {
    const onchainIdentifier = identifierOf(bytes);
    const account = await toSafeSmartAccount({
      client: chainClient(lab.devnet),
      owners: [privateKeyToAccount(freshKey())],
      version: '1.4.1',
      onchainIdentifier,
    });
    const client = clientOf(account);
    for (let nth = 0; nth < 2; nth += 1) {
      let receipt: UserOperationReceipt | undefined;
      await expectSponsored(lab, '0.7', account.address, 'permissionless', async () => {
        const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
        receipt = await client.waitForUserOperationReceipt({ hash });
        return receipt;
      });
      expect(await bundleOf(receipt?.receipt.transactionHash ?? '0x')).toContain(onchainIdentifier.slice(2));
    }
  });

  test('that abstractionkit makes of a project lands', async () => {
    const key = freshKey();
    const { devnet, bundler } = lab;
    const { address: owner } = privateKeyToAccount(key);
    const account = SafeAccountV0_3_0.initializeNewAccount([owner], {
      onChainIdentifierParams: { project: 'Tollfree' },
    });
    const paymaster = new CandidePaymaster(lab.paymaster('0.7').rpcUrl);
    const sender = account.accountAddress as Address;
    await expectSponsored(lab, '0.7', sender, 'abstractionkit 0.2.41', async () => {
      const { to, data } = targetCall(devnet, 'increment');
      const made = await account.createUserOperation([{ to, data, value: 0n }], devnet.rpcUrl, bundler.url);
      expect(made.callData).toContain(account.onChainIdentifier ?? 'none');
      const [sponsored] = await paymaster.createSponsorPaymasterUserOperation(account, made, bundler.url);
      sponsored.signature = account.signUserOperation(sponsored, [key], BigInt(devnet.chainId));
      const { userOperationHash } = await account.sendUserOperation(sponsored, bundler.url);
      const client = createBundlerClient({ client: chainClient(devnet), transport: http(bundler.url, plain) });
      return vi.waitFor(() => client.getUserOperationReceipt({ hash: userOperationHash as Hex }), { timeout: 30_000 });
    });
  });
});
