import { join } from 'node:path';
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  numberToHex,
  pad,
  parseGwei,
} from 'viem';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, dummySignature } from '../../server/dev/user-operation/dev-user-operation.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { deploy } from '../support/chain/deploy-code.ts';

const compiled = compileSolidity(join(import.meta.dirname, 'contracts/LyingAccount.sol'));

function contract(name: string) {
  const found = compiled.get(name);
  if (found === undefined) throw new Error(`There is no contract ${name}.`);
  return found;
}

const lyingAccount = contract('LyingAccount');
const writingFactory = contract('WritingFactory');

/** An account that writes so many slots whatever its call data says; `decent` is what it claims to delegate to. */
export function deployLiar(devnet: Devnet, writes: number, decent: Address): Promise<Address> {
  return deploy(
    devnet,
    encodeDeployData({ ...lyingAccount, bytecode: lyingAccount.creationBytecode, args: [writes, decent] }),
  );
}

export function deployWritingFactory(devnet: Devnet): Promise<Address> {
  return deploy(devnet, writingFactory.creationBytecode);
}

/** A new lying account of a writing factory, and the `initCode` that makes it. */
export function liarOf(factory: Address, writes: number, salt: bigint): { sender: Address; initCode: Hex } {
  const args = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'address' }],
    [BigInt(writes), `0x${'00'.repeat(20)}`],
  );
  const bytecode = concat([lyingAccount.creationBytecode, args]);
  const sender = getCreate2Address({ from: factory, salt: pad(numberToHex(salt)), bytecode });
  const createAccount = encodeFunctionData({
    abi: writingFactory.abi,
    functionName: 'createAccount',
    args: [writes, salt],
  });
  return { sender, initCode: concat([factory, createAccount]) };
}

/** An operation that says it calls the one whitelisted method, like a SimpleAccount's. */
export async function claimingOperation(
  devnet: Devnet,
  version: EntryPointVersion,
  account: { readonly sender: Address; readonly initCode?: Hex; readonly callData?: Hex },
): Promise<DevUserOperation> {
  const { baseFeePerGas } = await devnet.client.getBlock();
  const maxPriorityFeePerGas = parseGwei('1');
  return {
    entryPointVersion: version,
    nonce: 0n,
    initCode: '0x',
    callData: encodeAccountCalls(version, [targetCall(devnet, 'increment')]),
    ...account,
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: (baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
    paymasterAndData: '0x',
    signature: dummySignature,
  };
}
