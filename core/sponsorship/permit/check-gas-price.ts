import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import { noted, type Step } from '../run/steps.ts';

/** The operator's ceiling on the gas price. */
export const checkGasPrice: Step<Asked & Identified & ReadOperation, object> = noted(
  { rule: 'operator-gas-price', finding: ({ operation }) => ['operator-gas-price', operation.maxFeePerGas] },
  ({ operation, chain }) => {
    const capped = capGasPrice(operation, chain.config);
    return capped.ok ? accept({}) : capped;
  },
);

/** The operator's ceiling on `maxFeePerGas`, in wei per gas. */
function capGasPrice(operation: UserOperation, config: ChainConfig): Result<true> {
  const ceiling = config.maxFeePerGasCeiling;
  if (ceiling === undefined || operation.maxFeePerGas <= ceiling) return accept(true);
  return refuse({
    reason: 'GAS_PRICE_TOO_HIGH',
    message: `maxFeePerGas is ${operation.maxFeePerGas} wei. At most ${ceiling} wei is sponsored on this chain.`,
    field: 'maxFeePerGas',
    details: { ceiling: ceiling.toString() },
  });
}

/** The operator's ceiling on what one operation can cost at worst, in wei. */
export function capOperationCost(worstCase: bigint, config: ChainConfig): Result<true> {
  const max = config.maxCostPerOperation;
  if (max === undefined || worstCase <= max) return accept(true);
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `The operation can cost up to ${worstCase} wei. At most ${max} wei is signed for one operation.`,
    details: { limit: 'maxCostPerOperation', max: max.toString(), asked: worstCase.toString() },
  });
}
