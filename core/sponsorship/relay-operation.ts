import type { PaymasterDataRequest } from '../domain/paymaster-data.ts';
import { accept, type Result } from '../domain/result/result.ts';
import { beginAt, relay } from './pipeline.ts';
import type { UndecidedRelay } from './relay/hand-over.ts';
import type { Asked } from './run/asked.ts';

/** `eth_sendUserOperation` of an operation without fees and without a paymaster: it is final, its account has signed it. */
export async function relayOperation(
  asked: Asked & { readonly request: PaymasterDataRequest },
): Promise<Result<UndecidedRelay>> {
  const begun = await beginAt.run(asked);
  if (!begun.ok) return begun;
  const context = { ...asked.context, calculateGasLimits: false };
  const relayed = await relay.run({ ...begun.value, context, account: context.smartAccountInfo });
  return relayed.ok ? accept(relayed.value.answer) : relayed;
}
