import { encodeFunctionData, type Hex } from 'viem';
import { entryPoint06Abi, entryPoint08Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import type { Devnet } from '../../clients/cli/dev/devnet/devnet.ts';
import { type DevUserOperation, packUserOperation } from '../../clients/cli/dev/user-operation/dev-user-operation.ts';

/** Operations that are bundled together. */
const bundleSize = 10;
const bundleGas = 25_000_000n;

/**
 * Lands operations of one EntryPoint in bundles of `wallet`, which is also the beneficiary, and says by how much its balance
 * rose, in wei: what the EntryPoint paid it less what its transactions cost it. They pay the base fee and no tip.
 */
export async function landInOwnBundles(
  devnet: Devnet,
  wallet: LocalAccount,
  operations: readonly DevUserOperation[],
): Promise<bigint> {
  const { client } = devnet;
  const before = await client.getBalance({ address: wallet.address });
  for (let first = 0; first < operations.length; first += bundleSize) {
    const bundle = operations.slice(first, first + bundleSize);
    const { baseFeePerGas } = await client.getBlock();
    const hash = await client.sendTransaction({
      account: wallet,
      chain: client.chain,
      to: devnet.entryPoints[bundle[0]?.entryPointVersion ?? '0.7'],
      data: encodeHandleOps(bundle, wallet),
      gas: bundleGas,
      maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 1n,
      maxPriorityFeePerGas: 0n,
    });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error('The bundle reverted.');
  }
  return (await client.getBalance({ address: wallet.address })) - before;
}

function encodeHandleOps(bundle: readonly DevUserOperation[], { address }: LocalAccount): Hex {
  const functionName = 'handleOps';
  if (bundle[0]?.entryPointVersion === '0.6') {
    return encodeFunctionData({ abi: entryPoint06Abi, functionName, args: [bundle, address] });
  }
  return encodeFunctionData({ abi: entryPoint08Abi, functionName, args: [bundle.map(packUserOperation), address] });
}
