import { BaseError, ContractFunctionRevertedError } from 'viem';

/** The text of the EntryPoint's `FailedOp` or `FailedOpWithRevert`, or viem's short message. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof BaseError)) return 'unknown error';
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  const reason = revert instanceof ContractFunctionRevertedError ? revert.data?.args?.[1] : undefined;
  return typeof reason === 'string' ? reason : error.shortMessage;
}
