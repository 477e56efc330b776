import type { TollfreeGetAllowanceResult, tollfreeGetAllowance } from '@tollfree/contract/rpc/tollfree-get-allowance';
import { readArray, readInteger, readObject, readOneOf, readOptional, readText } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

const method = 'tollfree_getAllowance' satisfies typeof tollfreeGetAllowance.method;

/** Whose allowance: that of a ticket's user, of an account, or of both. */
export type GetAllowanceParameters = {
  readonly ticket?: string | undefined;
  readonly sender?: string | undefined;
  /** The policy, by the id that operations use; the default one without it. */
  readonly policyId?: string | undefined;
};

/** What is left in each limit, and until when; and whether budgets of the account leave nothing. */
export type Allowance = TollfreeGetAllowanceResult;

type Limit = Allowance['limits'][number];
type Budget = NonNullable<Allowance['budget']>;

const readAllowance = readObject<Allowance>({
  operationsLeft: readOptional(readInteger),
  ticketExpiresAt: readOptional(readInteger),
  budget: readOptional(
    readObject<Budget>({ state: readOneOf('USED_UP', 'NOT_COUNTED'), until: readOptional(readInteger) }),
  ),
  limits: readArray(
    readObject<Limit>({
      per: readOneOf('SENDER', 'SUBJECT', 'TOTAL', 'KEY', 'TICKET'),
      window: readOneOf('HOUR', 'DAY', 'WEEK', 'MONTH', 'EVER'),
      unit: readOneOf('OPERATIONS', 'WEI', 'USD'),
      max: readText,
      left: readText,
      until: readOptional(readInteger),
      contract: readOptional(readText),
      method: readOptional(readText),
    }),
  ),
});

/**
 * `tollfree_getAllowance`: what the application still pays for. `operationsLeft` is what a wallet shows as “2 free transactions
 * left”; it is absent where no limit bounds all operations, an
 * estimate where limits count what they cost, and 0 where a budget of the account leaves nothing. The ticket's own uses do not count.
 *
 * @example
 * const { operationsLeft } = await getAllowance(client, { ticket });
 */
export async function getAllowance(client: SponsorConnection, parameters: GetAllowanceParameters): Promise<Allowance> {
  const { ticket, sender, policyId } = parameters;
  const asked = { ticket, sender, policyId };
  return checkResult(await client.call(method, [asked]), readAllowance);
}
