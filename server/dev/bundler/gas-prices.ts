import { numberToHex } from 'viem';
import type { DevBundlerParts } from './dev-bundler-parts.ts';

/** What permissionless and ZeroDev ask for: three speeds, which are one here. */
export async function readGasPrices({ devnet }: DevBundlerParts): Promise<object> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await devnet.client.estimateFeesPerGas();
  const price = {
    maxFeePerGas: numberToHex(2n * maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  return { slow: price, standard: price, fast: price };
}

/** What Alchemy's clients ask for: wei per gas. */
export async function readPriorityFee({ devnet }: DevBundlerParts): Promise<string> {
  return numberToHex(await devnet.client.estimateMaxPriorityFeePerGas());
}
