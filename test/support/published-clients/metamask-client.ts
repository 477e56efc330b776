import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { http, maxUint256 } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { deployMetaMask } from '../accounts/deploy-metamask.ts';
import { approveCall, targetCall } from '../chain/chain-lab.ts';
import { chainClient } from '../service/client-lab.ts';
import { freshKey } from '../service/running-service.ts';
import { initCodeOf } from './init-code-of.ts';
import type { AppClient } from './sending-clients.ts';
import { readTokenRate, tokenBound } from './token-bound.ts';

const plain = { retryCount: 0 };

/** MetaMask's kit: its account of several owners, with one, in viem's clients as its documentation has them. */
export const metamaskClient: AppClient = {
  name: '@metamask/smart-accounts-kit 2.0.0',
  async open({ devnet, bundler }, { version, url, address: spender, context, headers = {} }) {
    const owner = privateKeyToAccount(freshKey());
    const client = chainClient(devnet);
    const account = await toMetaMaskSmartAccount({
      client,
      implementation: Implementation.MultiSig,
      deployParams: [[owner.address], 1n],
      deploySalt: '0x',
      signer: [{ account: owner }],
      environment: await deployMetaMask(devnet),
    });
    const clientWith = (paymasterContext: object | undefined = context) =>
      createBundlerClient({
        account,
        client,
        transport: http(bundler.url, plain),
        paymaster: createPaymasterClient({ transport: http(url, { ...plain, fetchOptions: { headers } }) }),
        ...(paymasterContext === undefined ? {} : { paymasterContext }),
        pollingInterval: 20,
      });
    const increment = targetCall(devnet, 'increment');
    return {
      sender: account.address,
      initCode: await initCodeOf(account),
      sponsored: () => clientWith().sendUserOperation({ calls: [increment] }),
      async paid(token) {
        const rate = await readTokenRate(devnet, { url, version, token: token.address });
        const calls = [approveCall(token, spender, maxUint256), increment];
        const hash = await clientWith({ token: token.address }).sendUserOperation({ calls });
        return { hash, quoted: await tokenBound(devnet, { bundlerUrl: bundler.url, hash }, rate) };
      },
    };
  },
};
