import { type FeeQuoteOrData, getFeeQuoteOrData } from './get-fee-quote-or-data.ts';
import type { SponsorConnection } from './sponsor-connection.ts';
import { type SponsoredOperation, sponsorUserOperation } from './sponsor-user-operation.ts';
import type { FeeQuoteOrDataContext, SponsorContext } from './sponsorship-context.ts';
import type { UserOperationRequest } from './user-operation-request.ts';

/** The methods of the RPC endpoint. Each is documented at the function of the same name. */
export type SponsorActions = {
  readonly getFeeQuoteOrData: <const Context extends FeeQuoteOrDataContext>(
    userOperation: UserOperationRequest,
    context: Context,
  ) => Promise<FeeQuoteOrData<Context>>;
  readonly sponsorUserOperation: <const Context extends SponsorContext>(
    userOperation: UserOperationRequest,
    context: Context,
  ) => Promise<SponsoredOperation<Context>>;
};

/** Collects the methods for one client. */
export function sponsorActions(client: SponsorConnection): SponsorActions {
  return {
    getFeeQuoteOrData: (userOperation, context) => getFeeQuoteOrData(client, userOperation, context),
    sponsorUserOperation: (userOperation, context) => sponsorUserOperation(client, userOperation, context),
  };
}
