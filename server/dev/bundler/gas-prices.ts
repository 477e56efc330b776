import { numberToHex } from 'viem';
import type { DevBundlerParts } from './dev-bundler-parts.ts';

/** The methods of permissionless and ZeroDev: three speeds, which are the same here. */
export async function readGasPrices({ devnet }: DevBundlerParts): Promise<object> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await devnet.client.estimateFeesPerGas();
  const price = {
    maxFeePerGas: numberToHex(2n * maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  return { slow: price, standard: price, fast: price };
}

/** The method of Alchemy's clients: wei per gas. */
export async function readPriorityFee({ devnet }: DevBundlerParts): Promise<string> {
  return numberToHex(await devnet.client.estimateMaxPriorityFeePerGas());
}
