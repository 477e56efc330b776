import { type Address, concat, encodeFunctionData, type Hex, parseAbi, parseGwei } from 'viem';
import { entryPoint07Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../devnet/devnet.ts';
import { type DevUserOperation, dummySignature } from './dev-user-operation.ts';
import { readUserOperationHash } from './entry-point.ts';

/** A call the account makes. `value` in wei. */
export type DevCall = { readonly to: Address; readonly value?: bigint; readonly data: Hex };

const factoryAbi = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
]);
const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
const executeBatch06Abi = parseAbi(['function executeBatch(address[] dest, bytes[] func)']);
const executeBatch07Abi = parseAbi(['function executeBatch(address[] dest, uint256[] value, bytes[] func)']);
const executeBatch08Abi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)']);

/** The call data of a SimpleAccount: `execute` for one call, the version's own `executeBatch` for several, `0x` for none. */
export function encodeAccountCalls(version: EntryPointVersion, calls: readonly DevCall[]): Hex {
  const [only] = calls;
  if (only === undefined) return '0x';
  if (calls.length === 1) return encodeFunctionData({ abi: executeAbi, args: [only.to, only.value ?? 0n, only.data] });
  const targets = calls.map(({ to }) => to);
  const values = calls.map(({ value }) => value ?? 0n);
  const data = calls.map((call) => call.data);
  switch (version) {
    case '0.6':
      if (values.some((value) => value > 0n)) throw new Error('A batch of SimpleAccount 0.6 carries no value.');
      return encodeFunctionData({ abi: executeBatch06Abi, args: [targets, data] });
    case '0.7':
      return encodeFunctionData({ abi: executeBatch07Abi, args: [targets, values, data] });
    default:
      return encodeFunctionData({
        abi: executeBatch08Abi,
        args: [calls.map((call) => ({ target: call.to, value: call.value ?? 0n, data: call.data }))],
      });
  }
}

/**
 * An unsigned operation of the SimpleAccount for `owner` and `salt`: nonce and deployment from the chain, fees from its
 * latest block, gas limits 0 (to be estimated), no paymaster, a dummy signature.
 */
export async function buildUserOperation(
  devnet: Devnet,
  account: { version: EntryPointVersion; owner: Address; salt?: bigint; nonceKey?: bigint },
  calls: readonly DevCall[],
): Promise<DevUserOperation> {
  const { client } = devnet;
  const { version, owner, salt = 0n, nonceKey = 0n } = account;
  const factory = devnet.accountFactories[version];
  const sender = await client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'getAddress',
    args: [owner, salt],
  });
  const [code, nonce, block] = await Promise.all([
    client.getCode({ address: sender }),
    client.readContract({
      address: devnet.entryPoints[version],
      abi: entryPoint07Abi,
      functionName: 'getNonce',
      args: [sender, nonceKey],
    }),
    client.getBlock(),
  ]);
  const createAccount = encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args: [owner, salt] });
  const maxPriorityFeePerGas = parseGwei('1');
  return {
    entryPointVersion: version,
    sender,
    nonce,
    initCode: code === undefined ? concat([factory, createAccount]) : '0x',
    callData: encodeAccountCalls(version, calls),
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
    paymasterAndData: '0x',
    signature: dummySignature,
  };
}

/**
 * Signs with the key of a SimpleAccount's owner, over the EntryPoint's hash. Accounts of 0.6 and 0.7 expect an EIP-191
 * signature of it; from 0.8 on the hash is EIP-712 and is signed directly.
 */
export async function signUserOperation(
  devnet: Devnet,
  operation: DevUserOperation,
  owner: LocalAccount,
): Promise<DevUserOperation> {
  const hash = await readUserOperationHash(devnet, operation);
  if (operation.entryPointVersion === '0.6' || operation.entryPointVersion === '0.7') {
    return { ...operation, signature: await owner.signMessage({ message: { raw: hash } }) };
  }
  if (owner.sign === undefined)
    throw new Error('The owner of a SimpleAccount from 0.8 on must be able to sign a plain hash.');
  return { ...operation, signature: await owner.sign({ hash }) };
}
