import { createKernelAccountClient, createZeroDevPaymasterClient } from '@zerodev/sdk';
import { http, maxUint256 } from 'viem';
import type { PaymasterActions } from 'viem/account-abstraction';
import type { DevnetToken } from '../../../server/dev/devnet/devnet.ts';
import { approveCall, targetCall } from '../chain/chain-lab.ts';
import { chainClient, simpleAccount } from '../service/client-lab.ts';
import { initCodeOf } from './init-code-of.ts';
import type { AppClient } from './sending-clients.ts';
import { readTokenRate, tokenBound } from './token-bound.ts';

type Paymaster = { readonly paymaster: Partial<PaymasterActions>; readonly paymasterContext?: object };
type PaymasterClient = ReturnType<typeof createZeroDevPaymasterClient>;

/** ZeroDev's client as its documentation has it: the paymaster is asked by `sponsorUserOperation`. */
export const zerodevClient: AppClient = createClient((paymaster, token) => ({
  paymaster: {
    getPaymasterData: (userOperation) =>
      paymaster.sponsorUserOperation({ userOperation, ...(token === undefined ? {} : { gasToken: token.address }) }),
  },
}));

/** ZeroDev's client with the methods of ERC-7677, which its paymaster client has from viem. */
export const zerodevErc7677Client: AppClient = createClient((paymaster, token) => ({
  paymaster,
  ...(token === undefined ? {} : { paymasterContext: { token: token.address } }),
}));

/** The account is a SimpleAccount: no package has the code of a Kernel. */
function createClient(choose: (paymaster: PaymasterClient, token: DevnetToken | undefined) => Paymaster): AppClient {
  return {
    name: '@zerodev/sdk 5.5.10',
    async open({ devnet, bundler }, { version, url, address: spender, context, headers = {} }) {
      const { chain } = devnet.client;
      const account = await simpleAccount(devnet, version);
      const plain = { retryCount: 0 };
      const asking = http(url, { ...plain, fetchOptions: { headers } });
      const clientOf = (token?: DevnetToken) =>
        createKernelAccountClient({
          account,
          chain,
          client: chainClient(devnet),
          bundlerTransport: http(bundler.url, plain),
          ...(context === undefined ? {} : { paymasterContext: context }),
          ...choose(createZeroDevPaymasterClient({ chain, transport: asking }), token),
          userOperation: { estimateFeesPerGas: () => devnet.client.estimateFeesPerGas() },
          pollingInterval: 20,
        });
      const increment = targetCall(devnet, 'increment');
      return {
        sender: account.address,
        initCode: await initCodeOf(account),
        sponsored: () => clientOf().sendUserOperation({ calls: [increment] }),
        async paid(token) {
          const rate = await readTokenRate(devnet, { url, version, token: token.address });
          const calls = [approveCall(token, spender, maxUint256), increment];
          const hash = await clientOf(token).sendUserOperation({ calls });
          return { hash, quoted: await tokenBound(devnet, { bundlerUrl: bundler.url, hash }, rate) };
        },
      };
    },
  };
}
