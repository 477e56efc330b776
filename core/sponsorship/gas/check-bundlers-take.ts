import { defaultTransactionGasCap, maxVerificationGas } from '../../domain/chain-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused, type Step } from '../run/steps.ts';
import type { WithGas } from './choose-gas.ts';

/** Refuses operations that no bundler accepts, before holding and signing. */
export const checkBundlersTake: Step<Asked & Identified & WithGas, object> = notedIfRefused(
  { rule: 'operation-gas', finding: ['bundler-gas'] },
  ({ chain, operation }): Result<object> => {
    const { verificationGasLimit, paymasterVerificationGasLimit } = operation.gas;
    const cap = BigInt(chain.config.transactionGasCap ?? defaultTransactionGasCap);
    const verification = verificationGasLimit + paymasterVerificationGasLimit;
    if (verification > maxVerificationGas) {
      return refuseGas({ field: 'verificationGasLimit', asked: verification, max: maxVerificationGas });
    }
    const asked = Object.values(operation.gas).reduce((sum, limit) => sum + limit, 0n);
    return asked > cap ? refuseGas({ asked, max: cap }) : accept({});
  },
);

function refuseGas({ field, asked, max }: { field?: string; asked: bigint; max: bigint }): Result<never> {
  const what = field === undefined ? 'The gas limits of the operation' : 'The verification gas limits of the operation';
  const setting = field === undefined ? 'transactionGasCap' : 'maxVerificationGas';
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `${what} come to ${asked} gas, but bundlers accept at most ${max}. Split the operation into smaller ones.`,
    ...(field === undefined ? {} : { field }),
    details: { limit: setting, asked: asked.toString(), max: max.toString() },
  });
}
