import type { SimulatedOperation } from './simulated-transaction.ts';

/** What a block asks for a gas, in wei, and how many base units of the token it gives for as much. */
export type BlockPrices = { readonly baseFee: bigint; readonly tokensPerGas: bigint };

/**
 * An operation at the prices of the block that takes it: a gas costs `min(maxFeePerGas, baseFee + maxPriorityFeePerGas)`.
 * Undefined where the base fee is above its `maxFeePerGas`, unless its bundler pays the rest himself.
 */
export function priceOperation(
  operation: SimulatedOperation,
  { baseFee, tokensPerGas }: BlockPrices,
): SimulatedOperation | undefined {
  const { pricing, charge, tokens, prefund } = operation;
  if (pricing === undefined) return operation;
  const { maxFeePerGas, maxPriorityFeePerGas, gasUsed } = pricing;
  if (baseFee > maxFeePerGas && !pricing.atLoss) return undefined;
  const price = smaller(maxFeePerGas, baseFee + maxPriorityFeePerGas);
  const cost = gasUsed * price;
  if (cost > prefund) throw new Error(`An operation would cost ${cost} wei of ${prefund}.`);
  return {
    ...operation,
    cost,
    ...(charge === undefined ? {} : { charge: { ...charge, amount: smaller(prefund, cost + pricing.margin) } }),
    ...(tokens === undefined || tokens.amount === 0n ? {} : { tokens: { ...tokens, amount: gasUsed * tokensPerGas } }),
  };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
