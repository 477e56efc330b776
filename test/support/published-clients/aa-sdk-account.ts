import { getEntryPoint, toSmartContractAccount } from '@aa-sdk/core';
import { concat, encodeFunctionData, type Hex, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../../server/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { freshKey } from '../service/running-service.ts';

const factoryAbi = parseAbi(['function createAccount(address owner, uint256 salt) returns (address)']);

type Operation = { readonly target: Hex; readonly data: Hex | '0x' };

/** A new SimpleAccount as Alchemy's `@aa-sdk/core` has accounts. */
export function aaSdkAccount(devnet: Devnet, version: EntryPointVersion) {
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
