import { getAllowance } from './get-allowance.ts';
import { type FeeQuoteOrData, getFeeQuoteOrData } from './get-fee-quote-or-data.ts';
import { getPaymasterData } from './get-paymaster-data.ts';
import { getPaymasterStubData } from './get-paymaster-stub-data.ts';
import { getSupportedEntryPoints } from './get-supported-entry-points.ts';
import { getSupportedTokens } from './get-supported-tokens.ts';
import { getTokenQuotes } from './get-token-quotes.ts';
import { sendAuthorization } from './send-authorization.ts';
import type { SponsorConnection } from './sponsor-connection.ts';
import { type SponsoredOperation, sponsorUserOperation } from './sponsor-user-operation.ts';
import type { FeeQuoteOrDataContext, SponsorContext } from './sponsorship-context.ts';
import type { UserOperationRequest } from './user-operation-request.ts';
import { validateSponsorshipPolicies } from './validate-sponsorship-policies.ts';

type Rest<Action> = Action extends (client: SponsorConnection, ...rest: infer Rest) => unknown ? Rest : never;

/** An action with its client already bound. */
type Bound<Action extends (client: SponsorConnection, ...rest: never[]) => unknown> = (
  ...rest: Rest<Action>
) => ReturnType<Action>;

/** The methods of the RPC endpoint, documented at the functions of the same names. */
export type SponsorActions = {
  readonly getFeeQuoteOrData: <const Context extends FeeQuoteOrDataContext>(
    userOperation: UserOperationRequest,
    context: Context,
  ) => Promise<FeeQuoteOrData<Context>>;
  readonly sponsorUserOperation: <const Context extends SponsorContext>(
    userOperation: UserOperationRequest,
    context: Context,
  ) => Promise<SponsoredOperation<Context>>;
  readonly getPaymasterStubData: Bound<typeof getPaymasterStubData>;
  readonly getPaymasterData: Bound<typeof getPaymasterData>;
  readonly getTokenQuotes: Bound<typeof getTokenQuotes>;
  readonly getAllowance: Bound<typeof getAllowance>;
  readonly getSupportedTokens: Bound<typeof getSupportedTokens>;
  readonly getSupportedEntryPoints: Bound<typeof getSupportedEntryPoints>;
  readonly sendAuthorization: Bound<typeof sendAuthorization>;
  readonly validateSponsorshipPolicies: Bound<typeof validateSponsorshipPolicies>;
};

/** Binds the methods to one client. */
export function sponsorActions(client: SponsorConnection): SponsorActions {
  return {
    getFeeQuoteOrData: (userOperation, context) => getFeeQuoteOrData(client, userOperation, context),
    sponsorUserOperation: (userOperation, context) => sponsorUserOperation(client, userOperation, context),
    getPaymasterStubData: (parameters) => getPaymasterStubData(client, parameters),
    getPaymasterData: (parameters) => getPaymasterData(client, parameters),
    getTokenQuotes: (parameters) => getTokenQuotes(client, parameters),
    getAllowance: (parameters) => getAllowance(client, parameters),
    getSupportedTokens: () => getSupportedTokens(client),
    getSupportedEntryPoints: () => getSupportedEntryPoints(client),
    sendAuthorization: (parameters) => sendAuthorization(client, parameters),
    validateSponsorshipPolicies: (parameters) => validateSponsorshipPolicies(client, parameters),
  };
}
