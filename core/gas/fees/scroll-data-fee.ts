import { encodeFunctionData, parseAbi } from 'viem';
import { compressedBundle } from './bundle-transaction.ts';
import type { FeeOracle } from './oracle-data-fee.ts';

/** The `L1GasPriceOracle` predeploy of Scroll. */
export const scrollOracleAddress = '0x5300000000000000000000000000000000000002';
const scrollOracleAbi = parseAbi(['function getL1Fee(bytes transaction) view returns (uint256)']);

/**
 * The fee of Scroll for the data of the bundler's transaction, in wei. Since Galileo (December 2025) the oracle takes the
 * signed transaction compressed, and computes with its length alone.
 */
export function scrollOracle(chainId: number): FeeOracle {
  return {
    address: scrollOracleAddress,
    name: 'L1GasPriceOracle of Scroll',
    questions: (simulated) => [
      { data: encodeFunctionData({ abi: scrollOracleAbi, args: [compressedBundle(chainId, simulated)] }) },
    ],
    fee: ([l1Fee = 0n]) => l1Fee,
  };
}
