import { encodeFunctionData, parseAbi } from 'viem';
import { unsignedBundle } from './bundle-transaction.ts';
import { gasPriceOracle, gasPriceOracleAbi, operatorFee, operatorFeeQuestions } from './op-stack-data-fee.ts';
import type { FeeOracle } from './oracle-data-fee.ts';

const mantleAbi = parseAbi(['function tokenRatio() view returns (uint256)']);

/**
 * The fees of Mantle, whose coin is MNT: `getL1Fee` answers in wei of ether, and `tokenRatio` says how many MNT an ether is.
 * The operator fee (Arsia) is in MNT already.
 */
export function mantleOracle(chainId: number): FeeOracle {
  return {
    address: gasPriceOracle,
    name: 'GasPriceOracle of Mantle',
    questions: (simulated) => [
      {
        data: encodeFunctionData({
          abi: gasPriceOracleAbi,
          functionName: 'getL1Fee',
          args: [unsignedBundle(chainId, simulated)],
        }),
      },
      { data: encodeFunctionData({ abi: mantleAbi }) },
      ...operatorFeeQuestions,
    ],
    fee: ([l1Fee = 0n, tokenRatio = 0n, ...operator], gasUsed) => l1Fee * tokenRatio + operatorFee(operator, gasUsed),
  };
}
