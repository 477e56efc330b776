import { createKernelAccountClient, createZeroDevPaymasterClient } from '@zerodev/sdk';
import { http, maxUint256 } from 'viem';
import { approveCall, targetCall } from '../chain/chain-lab.ts';
import { chainClient, simpleAccount } from '../service/client-lab.ts';
import { initCodeOf } from './init-code-of.ts';
import type { AppClient } from './sending-clients.ts';
import { readTokenRate, tokenBound } from './token-bound.ts';

/** ZeroDev's client and its paymaster client. The account is a SimpleAccount: no package has the code of a Kernel. */
export const zerodevClient: AppClient = {
  name: '@zerodev/sdk 5.5.10',
  async open({ devnet, bundler }, { version, url, address: spender }) {
    const { chain } = devnet.client;
    const account = await simpleAccount(devnet, version);
    const plain = { retryCount: 0 };
    const clientWith = (paymasterContext?: object) =>
      createKernelAccountClient({
        account,
        chain,
        client: chainClient(devnet),
        bundlerTransport: http(bundler.url, plain),
        paymaster: createZeroDevPaymasterClient({ chain, transport: http(url, plain) }),
        ...(paymasterContext === undefined ? {} : { paymasterContext }),
        userOperation: { estimateFeesPerGas: () => devnet.client.estimateFeesPerGas() },
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
