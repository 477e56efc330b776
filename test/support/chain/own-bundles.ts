import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { entryPoint06Abi, entryPoint08Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { type DevUserOperation, packUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';

/** The EntryPoint took none of the operations of a bundle. */
export class BundleReverted extends Error {
  override readonly name = 'BundleReverted';
}

/** Operations that are bundled together. */
const bundleSize = 10;
const bundleGas = 25_000_000n;

/** Mines a block with this base fee, in wei. The next one's follows from it. */
export async function mineAt({ client }: Devnet, baseFee: bigint): Promise<void> {
  await setBaseFee(client, baseFee);
  await askAnvil(client, 'evm_mine');
}

async function setBaseFee(client: Devnet['client'], baseFee: bigint): Promise<void> {
  await askAnvil(client, 'anvil_setNextBlockBaseFeePerGas', numberToHex(baseFee));
}

/** Methods of the node that no chain has. */
function askAnvil(client: Devnet['client'], method: string, ...params: readonly string[]): Promise<unknown> {
  return client.transport.request({ method, params });
}

/**
 * Lands operations of one EntryPoint in bundles of `wallet`, which is also the beneficiary, and says by how much its balance
 * rose, in wei: what the EntryPoint paid it less what its transactions cost it. They pay the base fee and no tip. Throws
 * `BundleReverted`.
 */
export async function landInOwnBundles(
  devnet: Devnet,
  {
    wallet,
    operations,
    baseFee,
  }: {
    readonly wallet: LocalAccount;
    readonly operations: readonly DevUserOperation[];
    /** That of the blocks they land in; whatever the chain has when absent. */
    readonly baseFee?: bigint;
  },
): Promise<bigint> {
  const { client } = devnet;
  const before = await client.getBalance({ address: wallet.address });
  for (let first = 0; first < operations.length; first += bundleSize) {
    const bundle = operations.slice(first, first + bundleSize);
    if (baseFee !== undefined) await setBaseFee(client, baseFee);
    const { baseFeePerGas } = await client.getBlock();
    const hash = await client.sendTransaction({
      account: wallet,
      chain: client.chain,
      to: devnet.entryPoints[bundle[0]?.entryPointVersion ?? '0.7'],
      data: encodeHandleOps(bundle, wallet),
      gas: bundleGas,
      maxFeePerGas: 2n * (baseFee ?? baseFeePerGas ?? 0n) + 1n,
      maxPriorityFeePerGas: 0n,
    });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new BundleReverted('The bundle reverted.');
  }
  return (await client.getBalance({ address: wallet.address })) - before;
}

export function encodeHandleOps(bundle: readonly DevUserOperation[], { address }: { readonly address: Address }): Hex {
  const functionName = 'handleOps';
  if (bundle[0]?.entryPointVersion === '0.6') {
    return encodeFunctionData({ abi: entryPoint06Abi, functionName, args: [bundle, address] });
  }
  return encodeFunctionData({ abi: entryPoint08Abi, functionName, args: [bundle.map(packUserOperation), address] });
}
