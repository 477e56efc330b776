import { type Address, encodeFunctionData, type Hex, parseEther, type TransactionReceipt } from 'viem';
import { entryPoint06Abi, entryPoint08Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, packUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import {
  newSmartAccount,
  nextOperation,
  plainLimits,
  type SmartAccount,
  targetCall,
  walletWith,
} from '../chain/chain-lab.ts';

/** A wallet that relays, with coin. */
export function newExecutor(devnet: Devnet, value = parseEther('10')): Promise<LocalAccount> {
  return walletWith(devnet, value);
}

/** What wallets have in sum, in wei, at a block or at the newest. */
export async function balanceOf(
  devnet: Devnet,
  executors: readonly LocalAccount[],
  blockNumber?: bigint,
): Promise<bigint> {
  const at = blockNumber === undefined ? {} : { blockNumber };
  const balances = await Promise.all(executors.map(({ address }) => devnet.client.getBalance({ address, ...at })));
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

/** The next operation of an account with one call of the target: no fees, no paymaster, signed. */
export async function freeOperation(
  devnet: Devnet,
  account: SmartAccount,
  over: Partial<DevUserOperation> = {},
): Promise<DevUserOperation> {
  const built = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const limits = plainLimits(built.initCode === '0x' ? 'deployed' : 'undeployed');
  const free = { ...built, ...limits, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, ...over };
  return signUserOperation(devnet, free, account.owner);
}

export async function freeOperationOf(devnet: Devnet, version: EntryPointVersion): Promise<DevUserOperation> {
  return freeOperation(devnet, newSmartAccount(version));
}

/** Call data of a bundle. */
export function bundleData(operations: readonly DevUserOperation[], beneficiary: Address): Hex {
  const is06 = operations[0]?.entryPointVersion === '0.6';
  return is06
    ? encodeFunctionData({ abi: entryPoint06Abi, functionName: 'handleOps', args: [[...operations], beneficiary] })
    : encodeFunctionData({
        abi: entryPoint08Abi,
        functionName: 'handleOps',
        args: [operations.map(packUserOperation), beneficiary],
      });
}

/** Takes operations to their EntryPoint in one transaction of an executor, whatever becomes of it. */
export async function sendBundle(
  devnet: Devnet,
  executor: LocalAccount,
  operations: readonly DevUserOperation[],
): Promise<TransactionReceipt> {
  const [first] = operations;
  if (first === undefined) throw new Error('There is no operation to bundle.');
  const hash = await devnet.client.sendTransaction({
    account: executor,
    chain: devnet.client.chain,
    to: devnet.entryPoints[first.entryPointVersion],
    data: bundleData(operations, executor.address),
    gas: 5_000_000n,
  });
  return devnet.client.waitForTransactionReceipt({ hash });
}

/** Sends coin. */
export async function transfer(
  devnet: Devnet,
  from: LocalAccount,
  { to, value }: { readonly to: Address; readonly value: bigint },
): Promise<TransactionReceipt> {
  const hash = await devnet.client.sendTransaction({
    account: from,
    chain: devnet.client.chain,
    to,
    value,
    gas: 100_000n,
  });
  return devnet.client.waitForTransactionReceipt({ hash });
}

export function costOf({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint {
  return gasUsed * effectiveGasPrice;
}
