import { draftDecision, toTraceStep } from '../../../core/decisions/decision-draft.ts';
import type { TraceStep } from '../../../core/domain/decision.ts';
import type { Result } from '../../../core/domain/result/result.ts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { numberedAddress } from './ledger-lab.ts';

/** An operation with these limits and prices, of an account that already exists. */
export function operationWith(
  over: Partial<Omit<UserOperationWithGas, 'gas'>> = {},
  gas: Partial<UserOperationWithGas['gas']> = {},
): UserOperationWithGas {
  return {
    entryPointVersion: '0.7',
    sender: numberedAddress(0xa1),
    nonce: 1n,
    initCode: '0x',
    callData: '0x',
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 2n,
    signature: '0x',
    ...over,
    gas: {
      callGasLimit: 1_000n,
      verificationGasLimit: 2_000n,
      preVerificationGas: 3_000n,
      paymasterVerificationGasLimit: 4_000n,
      paymasterPostOpGasLimit: 5_000n,
      ...gas,
    },
  };
}

/** Takes a step with what it looks at. */
export async function takeStep<Found>(
  step: (request: never) => Result<Found> | Promise<Result<Found>>,
  request: object,
): Promise<{ readonly result: Result<Found>; readonly trace: readonly TraceStep[] }> {
  const draft = draftDecision(
    'sponsorUserOperation',
    { chainId: 1, userOperation: {}, context: { sponsorshipInfoGiven: false } },
    1_800_000_000_000,
  );
  const result = await step({ draft, ...request } as never);
  return { result, trace: draft.trace.map(toTraceStep) };
}
