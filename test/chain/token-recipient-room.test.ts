import { http, maxUint256 } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Devnet, DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { matrixAccounts } from '../support/accounts/matrix-accounts.ts';
import { openFlowLab } from '../support/accounts/open-flow-lab.ts';
import { approveCall, mint, setTokenBalance, targetCall, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { type ClientLab, chainClient } from '../support/service/client-lab.ts';

/** What a first transfer to an address costs more than a later one: a new slot instead of a changed one. */
const chains = [
  ['osaka', 22_100n - 5_000n, ['0.7', '0.8', '0.9']],
  ['amsterdam', 110_020n - 12_100n, ['0.7', '0.9']],
] as const;

describe.each(chains)('with the prices of %s', (fork, more, versions) => {
  let devnet: Devnet;
  let lab: ClientLab;
  let token: DevnetToken;
  beforeAll(async () => {
    devnet = await startDevnet({ port: 0, fork, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
    lab = await openFlowLab(devnet);
    token = tokenWith(devnet, 6);
  });
  afterAll(async () => {
    await lab.close();
    await devnet.close();
  });

  test.each(versions)(
    'a token payment on EntryPoint %s has gas for an empty token recipient only while the token recipient is empty',
    async (version) => {
      const client = await openClient(version);
      await setTokenBalance(devnet, token, { owner: devnet.tokenRecipient, amount: 0n });
      const toEmpty = await pay(client);
      const toFilled = await pay(client);
      expect(toEmpty.paymasterPostOpGasLimit - toFilled.paymasterPostOpGasLimit).toBe(more);
      expect(toEmpty.paymasterVerificationGasLimit - toFilled.paymasterVerificationGasLimit).toBe(more);
    },
  );

  /** A client whose account is on the chain and has approved the paymaster. */
  async function openClient(version: '0.7' | '0.8' | '0.9') {
    const row = matrixAccounts.find((account) => account.kind === 'SimpleAccount' && account.version === version);
    if (row === undefined) throw new Error(`There is no SimpleAccount on EntryPoint ${version}.`);
    const { account } = await row.open(devnet);
    const { rpcUrl, address } = lab.paymaster(version);
    await mint(devnet, token, account.address, 10_000n * 10n ** 6n);
    const client = createBundlerClient({
      account,
      client: chainClient(devnet),
      transport: http(lab.bundler.url, { retryCount: 0 }),
      pollingInterval: 20,
      paymaster: createPaymasterClient({ transport: http(rpcUrl, { retryCount: 0 }) }),
      paymasterContext: { token: token.address },
    });
    const hash = await client.sendUserOperation({ calls: [approveCall(token, address, maxUint256)] });
    await client.waitForUserOperationReceipt({ hash });
    return client;
  }

  /** Lands an operation that pays in the token, and answers the paymaster's limits. */
  async function pay(client: Awaited<ReturnType<typeof openClient>>) {
    const before = await tokenBalance(devnet, token, devnet.tokenRecipient);
    const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')] });
    expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true });
    expect(await tokenBalance(devnet, token, devnet.tokenRecipient)).toBeGreaterThan(before);
    const { userOperation } = await client.getUserOperation({ hash });
    const { paymasterPostOpGasLimit = 0n, paymasterVerificationGasLimit = 0n } = userOperation;
    return { paymasterPostOpGasLimit, paymasterVerificationGasLimit };
  }
});
