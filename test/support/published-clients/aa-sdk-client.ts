import {
  createSmartAccountClient,
  erc7677Middleware,
  getEntryPoint,
  split,
  toSmartContractAccount,
} from '@aa-sdk/core';
import { concat, encodeFunctionData, type Hex, http, maxUint256, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../../clients/cli/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../../clients/cli/dev/user-operation/dev-user-operation.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { approveCall, targetCall } from '../chain/chain-lab.ts';
import { freshKey } from '../service/running-service.ts';
import type { AppClient } from './sending-clients.ts';
import { readTokenRate, tokenBound } from './token-bound.ts';

const factoryAbi = parseAbi(['function createAccount(address owner, uint256 salt) returns (address)']);
const paymasterMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'];
const bundlerMethods = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
];

/** Alchemy's `@aa-sdk/core` with its own ERC-7677 middleware, and a SimpleAccount. */
export const aaSdkClient: AppClient = {
  name: '@aa-sdk/core 4.88.5',
  async open({ devnet, bundler }, { version, url, address: spender, raisesLimit = false, context = {}, headers = {} }) {
    const { chain } = devnet.client;
    const account = await simpleAccount(devnet, version);
    const plain = { retryCount: 0 };
    const transport = split({
      overrides: [
        { methods: paymasterMethods, transport: http(url, { ...plain, fetchOptions: { headers } }) },
        { methods: bundlerMethods, transport: http(bundler.url, plain) },
      ],
      fallback: http(devnet.rpcUrl, plain),
    });
    // It leaves limits of `pm_getPaymasterData` out of its operation, so that it has to have enough from the start.
    const opts = raisesLimit ? { feeOptions: { verificationGasLimit: { multiplier: 2.5 } } } : {};
    const clientWith = (sent: object) =>
      createSmartAccountClient({ transport, chain, account, opts, ...erc7677Middleware({ context: sent }) });
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

type Operation = { readonly target: Hex; readonly data: Hex | '0x' };

function simpleAccount(devnet: Devnet, version: EntryPointVersion) {
  const owner = privateKeyToAccount(freshKey());
  const { chain } = devnet.client;
  const factoryData = encodeFunctionData({ abi: factoryAbi, args: [owner.address, 0n] });
  const encode = async (calls: readonly Operation[]) =>
    encodeAccountCalls(
      version,
      calls.map(({ target, data }) => ({ to: target, data })),
    );
  return toSmartContractAccount({
    source: 'SimpleAccount',
    transport: http(devnet.rpcUrl),
    chain,
    entryPoint: entryPointOf(devnet, version),
    getAccountInitCode: async () => concat([devnet.accountFactories[version], factoryData]),
    getDummySignature: () => dummySignature,
    encodeExecute: (call) => encode([call]),
    encodeBatchExecute: encode,
    signMessage: ({ message }) => owner.signMessage({ message }),
    signTypedData: (typedData) => owner.signTypedData(typedData),
  });
}

function entryPointOf({ client, entryPoints }: Devnet, version: EntryPointVersion) {
  const addressOverride = entryPoints[version];
  if (version === '0.6') return getEntryPoint(client.chain, { version: '0.6.0', addressOverride });
  return getEntryPoint(client.chain, { version: '0.7.0', addressOverride });
}
