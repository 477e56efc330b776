import { type TollfreeGetAllowanceResult, tollfreeGetAllowance } from '@tollfree/contract/rpc/tollfree-get-allowance';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

/** Whose allowance: that of the user of a ticket, of an account, or of both. */
export type GetAllowanceParameters = { readonly ticket?: string | undefined; readonly sender?: string | undefined };

/** What is left in each limit, and until when. */
export type Allowance = TollfreeGetAllowanceResult;

/**
 * `tollfree_getAllowance`: what the application still pays for. `operationsLeft` is what a wallet shows as “2 free transactions
 * left”; it is absent where no limit counts operations.
 *
 * @example
 * const { operationsLeft } = await getAllowance(client, { ticket });
 */
export async function getAllowance(client: SponsorConnection, parameters: GetAllowanceParameters): Promise<Allowance> {
  const { ticket, sender } = parameters;
  return checkResult(await client.call(tollfreeGetAllowance.method, [{ ticket, sender }]), tollfreeGetAllowance.result);
}
