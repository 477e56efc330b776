import { signerToEcdsaValidator } from '@zerodev/ecdsa-validator';
import { createKernelAccount, createKernelAccountClient, createZeroDevPaymasterClient } from '@zerodev/sdk';
import { http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { altoMargins, estimatingWith } from '../support/accounts/bundler-margins.ts';
import { kernelContracts } from '../support/accounts/matrix-accounts.ts';
import { incrementsOf, targetCall } from '../support/chain/chain-lab.ts';
import { type ClientLab, chainClient, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);
afterAll(() => lab.close());

test('ZeroDev’s Kernel lands with alto’s limits over ERC-7677, each operation with a new nonce key', async () => {
  const { devnet, bundler } = lab;
  const { chain } = devnet.client;
  await kernelContracts(devnet);
  const client = chainClient(devnet);
  const kernel = {
    entryPoint: { address: devnet.entryPoints['0.7'], version: '0.7' },
    kernelVersion: '0.3.1',
  } as const;
  const sudo = await signerToEcdsaValidator(client, { ...kernel, signer: privateKeyToAccount(freshKey()) });
  const account = await createKernelAccount(client, { ...kernel, plugins: { sudo }, useMetaFactory: false });
  const plain = { retryCount: 0 };
  const kernelClient = createKernelAccountClient({
    account,
    chain,
    client,
    bundlerTransport: estimatingWith(bundler.url, altoMargins('0.7')),
    paymaster: createZeroDevPaymasterClient({ chain, transport: http(lab.paymaster('0.7').rpcUrl, plain) }),
    userOperation: { estimateFeesPerGas: () => devnet.client.estimateFeesPerGas() },
    pollingInterval: 20,
  });
  for (const key of [1n, 2n, 3n]) {
    const nonce = await account.getNonce({ key });
    await kernelClient.sendUserOperation({ calls: [targetCall(devnet, 'increment')], nonce });
    expect(await incrementsOf(devnet, account.address)).toBe(key);
  }
});
