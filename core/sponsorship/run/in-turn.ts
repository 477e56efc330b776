import type { Paymaster } from '../../domain/paymaster.ts';
import type { Result } from '../../domain/result/result.ts';
import type { Asked } from './asked.ts';

/** Waits for the request's turn, then simulates. */
export function inTurn<T>(
  { parts, request, profile }: Asked & { readonly profile: { readonly paymaster: Pick<Paymaster, 'accountId'> } },
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const account = `${profile.paymaster.accountId} ${request.chainId}`;
  return parts.simulations.run({ client: request.clientAddress, account }, work);
}
