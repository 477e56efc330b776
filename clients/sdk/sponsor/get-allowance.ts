import { type TollfreeGetAllowanceResult, tollfreeGetAllowance } from '@tollfree/contract/rpc/tollfree-get-allowance';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

/** Whose allowance: that of the user of a ticket, of an account, or of both. */
export type GetAllowanceParameters = {
  readonly ticket?: string | undefined;
  readonly sender?: string | undefined;
  /** The policy that is asked about, as operations name it; the default one without it. */
  readonly policyId?: string | undefined;
};

/** What is left in each limit, and until when; and whether budgets of the account leave nothing. */
export type Allowance = TollfreeGetAllowanceResult;

/**
 * `tollfree_getAllowance`: what the application still pays for. `operationsLeft` is what a wallet shows as “2 free transactions
 * left”; it is absent where no limit counts operations, and 0 where
 * a budget of the account leaves nothing.
 *
 * @example
 * const { operationsLeft } = await getAllowance(client, { ticket });
 */
export async function getAllowance(client: SponsorConnection, parameters: GetAllowanceParameters): Promise<Allowance> {
  const { ticket, sender, policyId } = parameters;
  const asked = { ticket, sender, policyId };
  return checkResult(await client.call(tollfreeGetAllowance.method, [asked]), tollfreeGetAllowance.result);
}
