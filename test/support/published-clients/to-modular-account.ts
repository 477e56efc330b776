import { join } from 'node:path';
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { entryPoint07Abi, getUserOperationHash, type SmartAccount, toSmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import type { CoreConfig } from '../../../core/domain/core-config.ts';
import { create2Deployer } from '../../../server/dev/devnet/deployments.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { compileSolidity } from '../../../tools/compile-solidity.ts';
import { freshKey } from '../service/running-service.ts';

const factoryAbi = parseAbi([
  'function createAccount(address owner) returns (address)',
  'function addressOf(address owner) view returns (address)',
]);
const executeAbi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata) payable']);
const executions = parseAbiParameters('(address target, uint256 value, bytes callData)[]');

/** Modes of ERC-7579: the first byte says one call or a batch, the rest is the plain default. */
const singleMode: Hex = `0x${'00'.repeat(32)}`;
const batchMode: Hex = `0x01${'00'.repeat(31)}`;

function compile(name: string) {
  const compiled = compileSolidity(join(import.meta.dirname, 'contracts/ModularAccount.sol')).get(name);
  if (compiled === undefined) throw new Error(`The compiler returned no ${name}.`);
  return compiled;
}

/** What makes the modular test account known: the clients name it as they name Nexus. */
export function withModularAccounts(config: CoreConfig): CoreConfig {
  const codeOf = (name: string) => {
    const { runtimeBytecode } = compile(name);
    return {
      name: 'BICONOMY',
      version: '2.0.0',
      codeHash: keccak256(runtimeBytecode),
      immutables: zeroWords(runtimeBytecode),
    };
  };
  const accounts = { implementations: [codeOf('ModularAccount')], factories: [codeOf('ModularAccountFactory')] };
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, accounts })) };
}

/** Where compiled code pushes a word of zeros: what its constructor fills in. */
function zeroWords(code: Hex): readonly number[] {
  return [...code.matchAll(/7f0{64}/g)].map(({ index }) => index / 2);
}

/** Puts the factory of the modular test account on the chain. */
export async function deployModularFactory(devnet: Devnet): Promise<Address> {
  const factory = compile('ModularAccountFactory');
  const salt: Hex = `0x${'00'.repeat(32)}`;
  const argument = encodeAbiParameters([{ type: 'address' }], [devnet.entryPoints['0.7']]);
  const bytecode = concat([factory.creationBytecode, argument]);
  await sendInOrder(devnet.client, privateKeyToAccount(deriveDevKey(0)), [
    { description: 'the factory', to: create2Deployer, data: concat([salt, bytecode]) },
  ]);
  return getCreate2Address({ from: create2Deployer, salt, bytecode });
}

/** A new modular account (ERC-7579) of EntryPoint 0.7, in the form viem's clients take. Its calls are encoded as Nexus does. */
export async function newModularAccount(
  { client, chainId, entryPoints }: Devnet,
  factory: Address,
): Promise<SmartAccount> {
  const owner = privateKeyToAccount(freshKey());
  const entryPoint = { abi: entryPoint07Abi, address: entryPoints['0.7'], version: '0.7' } as const;
  const address = await client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'addressOf',
    args: [owner.address],
  });
  return toSmartAccount({
    client,
    entryPoint,
    getAddress: async () => address,
    getFactoryArgs: async () => ({
      factory,
      factoryData: encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args: [owner.address] }),
    }),
    encodeCalls: async (calls) => encodeExecute(calls),
    getStubSignature: async () => dummySignature,
    signMessage: ({ message }) => owner.signMessage({ message }),
    signTypedData: (typedData) => owner.signTypedData(typedData),
    signUserOperation: async ({ chainId: signedChainId = chainId, ...operation }) => {
      const hash = getUserOperationHash({
        chainId: signedChainId,
        entryPointAddress: entryPoint.address,
        entryPointVersion: '0.7',
        userOperation: { ...operation, sender: address },
      });
      return owner.signMessage({ message: { raw: hash } });
    },
  });
}

function encodeExecute(calls: readonly { to: Address; value?: bigint | undefined; data?: Hex | undefined }[]): Hex {
  const [only] = calls;
  if (only !== undefined && calls.length === 1) {
    const call = encodePacked(['address', 'uint256', 'bytes'], [only.to, only.value ?? 0n, only.data ?? '0x']);
    return encodeFunctionData({ abi: executeAbi, args: [singleMode, call] });
  }
  const batch = calls.map(({ to, value = 0n, data = '0x' }) => ({ target: to, value, callData: data }));
  return encodeFunctionData({ abi: executeAbi, args: [batchMode, encodeAbiParameters(executions, [batch])] });
}
