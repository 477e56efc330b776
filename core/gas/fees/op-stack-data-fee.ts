import { encodeFunctionData, parseAbi } from 'viem';
import { unsignedBundle } from './bundle-transaction.ts';
import type { FeeOracle, OracleQuestion } from './oracle-data-fee.ts';

/** The `GasPriceOracle` predeploy of every OP-stack chain. */
export const gasPriceOracle = '0x420000000000000000000000000000000000000F';
const gasPriceOracleAbi = parseAbi([
  'function getL1Fee(bytes unsignedTransaction) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
]);

/** The operator fee is linear in gas (Isthmus, Jovian): two answers determine it for any amount. */
const operatorFeeSample = 1_000_000_000n;

/**
 * The fees of an OP-stack chain in wei: `getL1Fee` of the unsigned transaction, and since Isthmus an operator fee for the
 * gas used. The oracle compresses the transaction as the chain does and adds the signature. An older oracle has no
 * `getOperatorFee`, and its chain does not charge it.
 */
export function opStackOracle(chainId: number): FeeOracle {
  return {
    address: gasPriceOracle,
    name: 'GasPriceOracle of the OP stack',
    questions: (simulated) => [
      {
        data: encodeFunctionData({
          abi: gasPriceOracleAbi,
          functionName: 'getL1Fee',
          args: [unsignedBundle(chainId, simulated)],
        }),
      },
      ...operatorFeeQuestions,
    ],
    fee: ([l1Fee = 0n, ...operator], gasUsed) => l1Fee + operatorFee(operator, gasUsed),
  };
}

const operatorFeeQuestions: readonly OracleQuestion[] = [0n, operatorFeeSample].map((gasUsed) => ({
  data: encodeFunctionData({ abi: gasPriceOracleAbi, functionName: 'getOperatorFee', args: [gasUsed] }),
  ifAbsent: 0n,
}));

/** Computed from the answers to {@link operatorFeeQuestions}, rounded up. */
function operatorFee([constant = 0n, sampled = 0n]: readonly bigint[], gasUsed: bigint): bigint {
  const perSample = sampled > constant ? sampled - constant : 0n;
  return constant + (perSample * gasUsed + operatorFeeSample - 1n) / operatorFeeSample;
}

const mantleAbi = parseAbi(['function tokenRatio() view returns (uint256)']);

/**
 * The fees of Mantle, whose coin is MNT: `getL1Fee` answers in wei of ether, and `tokenRatio` is the MNT per ether. The
 * operator fee (Arsia) is already in MNT.
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
