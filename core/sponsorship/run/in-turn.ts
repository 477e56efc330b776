import type { Result } from '../../domain/result/result.ts';
import type { Asked } from './asked.ts';

/** Simulates for a request when it is its turn. */
export function inTurn<T>(
  { parts, request, profile }: Asked & { readonly profile: { readonly paymaster: { readonly paymasterId: string } } },
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  return parts.simulations.run({ client: request.clientAddress, paymaster: profile.paymaster.paymasterId }, work);
}
