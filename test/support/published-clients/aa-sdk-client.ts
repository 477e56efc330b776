import { type ClientMiddlewareFn, createSmartAccountClient, erc7677Middleware, split } from '@aa-sdk/core';
import { http, maxUint256 } from 'viem';
import { approveCall, targetCall } from '../chain/chain-lab.ts';
import { aaSdkAccount } from './aa-sdk-account.ts';
import type { AppClient } from './sending-clients.ts';
import { readTokenRate, tokenBound } from './token-bound.ts';

const paymasterMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'];
const bundlerMethods = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
];

/**
 * It leaves limits of `pm_getPaymasterData` out of its operation, so that it has to have enough from the start. A multiple
 * that is enough for a later operation is more than is signed for the one that deploys the account.
 */
const raiseVerificationGas: ClientMiddlewareFn = async (operation) => ({
  ...operation,
  verificationGasLimit: BigInt((await operation.verificationGasLimit) ?? 0) + 100_000n,
});

/** Alchemy's `@aa-sdk/core` with its own ERC-7677 middleware, and a SimpleAccount. */
export const aaSdkClient: AppClient = {
  name: '@aa-sdk/core 4.88.5',
  async open({ devnet, bundler }, { version, url, address: spender, raisesLimit = false, context = {}, headers = {} }) {
    const { chain } = devnet.client;
    const account = await aaSdkAccount(devnet, version);
    const plain = { retryCount: 0 };
    const transport = split({
      overrides: [
        { methods: paymasterMethods, transport: http(url, { ...plain, fetchOptions: { headers } }) },
        { methods: bundlerMethods, transport: http(bundler.url, plain) },
      ],
      fallback: http(devnet.rpcUrl, plain),
    });
    const raised = raisesLimit ? { customMiddleware: raiseVerificationGas } : {};
    const clientWith = (sent: object) =>
      createSmartAccountClient({ transport, chain, account, ...raised, ...erc7677Middleware({ context: sent }) });
    const { to: target, data } = targetCall(devnet, 'increment');
    return {
      sender: account.address,
      initCode: await account.getInitCode(),
      sponsored: async () => (await clientWith(context).sendUserOperation({ uo: { target, data } })).hash,
      async paid(token) {
        const rate = await readTokenRate(devnet, { url, version, token: token.address });
        const approval = approveCall(token, spender, maxUint256);
        const uo = [
          { target: approval.to, data: approval.data },
          { target, data },
        ];
        const { hash } = await clientWith({ token: token.address }).sendUserOperation({ uo });
        return { hash, quoted: await tokenBound(devnet, { bundlerUrl: bundler.url, hash }, rate) };
      },
    };
  },
};
