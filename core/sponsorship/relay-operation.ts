import type { PaymasterDataRequest } from '../domain/paymaster-data.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { RawUserOperation } from '../domain/user-operation.ts';
import { beginAt, prepareToRelay, relay } from './pipeline.ts';
import type { UndecidedRelay } from './relay/hand-over.ts';
import type { UndecidedTerms } from './relay/relay-terms.ts';
import type { Asked } from './run/asked.ts';

/** `eth_sendUserOperation` of an operation without fees and without a paymaster: it is final and signed by its account. */
export async function relayOperation(
  asked: Asked & { readonly request: PaymasterDataRequest },
): Promise<Result<UndecidedRelay>> {
  const begun = await beginAt.run(asked);
  if (!begun.ok) return begun;
  const context = { ...asked.context, calculateGasLimits: false };
  const relayed = await relay.run({ ...begun.value, context, account: context.smartAccountInfo });
  return relayed.ok ? accept(relayed.value.answer) : relayed;
}

/** `tollfree_prepareRelay`: a draft may still have fees and paymaster fields, unlike the operation to relay. */
export async function prepareRelayOf(
  asked: Asked & { readonly request: PaymasterDataRequest },
): Promise<Result<UndecidedTerms>> {
  const { request, context } = asked;
  const free = { ...request.userOperation, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
  const begun = await beginAt.run({ ...asked, request: { ...request, userOperation: withoutPaymaster(free) } });
  if (!begun.ok) return begun;
  const estimated = { ...context, calculateGasLimits: true };
  const prepared = await prepareToRelay.run({ ...begun.value, context: estimated, account: context.smartAccountInfo });
  return prepared.ok ? accept(prepared.value.answer) : prepared;
}

function withoutPaymaster({
  paymasterAndData: _,
  paymaster: __,
  paymasterData: ___,
  paymasterVerificationGasLimit: ____,
  paymasterPostOpGasLimit: _____,
  ...operation
}: RawUserOperation): RawUserOperation {
  return operation;
}
