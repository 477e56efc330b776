import { getAllowance } from './sponsor/get-allowance.ts';
import { type FeeQuoteOrData, getFeeQuoteOrData } from './sponsor/get-fee-quote-or-data.ts';
import { getPaymasterData } from './sponsor/get-paymaster-data.ts';
import { getPaymasterStubData } from './sponsor/get-paymaster-stub-data.ts';
import { getSupportedEntryPoints } from './sponsor/get-supported-entry-points.ts';
import { getSupportedTokens } from './sponsor/get-supported-tokens.ts';
import { getTokenQuotes } from './sponsor/get-token-quotes.ts';
import {
  connectSponsor,
  type HttpTransportOptions,
  httpTransport,
  type SponsorConnection,
  type SponsorTransport,
} from './sponsor/sponsor-connection.ts';
import { type SponsoredOperation, sponsorUserOperation } from './sponsor/sponsor-user-operation.ts';
import type { FeeQuoteOrDataContext, SponsorContext } from './sponsor/sponsorship-context.ts';
import type { UserOperationRequest } from './sponsor/user-operation-request.ts';
import { validateSponsorshipPolicies } from './sponsor/validate-sponsorship-policies.ts';

export type SponsorClientOptions = HttpTransportOptions | { readonly transport: SponsorTransport };

export type SponsorClient = SponsorConnection & SponsorActions;

/**
 * A client of a paymaster's RPC endpoint: fee quotes and sponsorship of user operations.
 *
 * Actions reject with `SponsorshipRefusedError` when the service refuses, with a stable `reason`, and with
 * `TransportError` when no answer of the service came.
 *
 * @example
 * const client = createSponsorClient({ url: `https://gas.example.org/api/v2/${chainId}/${apiKey}` });
 * const { feeQuotes, paymasterAddress } = await client.getFeeQuoteOrData(userOperation, {
 *   mode: 'ERC20',
 *   tokenInfo: { preferredToken: usdc },
 * });
 */
export function createSponsorClient(options: SponsorClientOptions): SponsorClient {
  const connection = connectSponsor('transport' in options ? options.transport : httpTransport(options));
  return { ...connection, ...sponsorActions(connection) };
}

type Rest<Action> = Action extends (client: SponsorConnection, ...rest: infer Rest) => unknown ? Rest : never;

/** An action with its client already bound. */
type Bound<Action extends (client: SponsorConnection, ...rest: never[]) => unknown> = (
  ...rest: Rest<Action>
) => ReturnType<Action>;

/** The methods of the RPC endpoint, documented at the functions of the same names. */
type SponsorActions = {
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
  readonly validateSponsorshipPolicies: Bound<typeof validateSponsorshipPolicies>;
};

/** Binds the methods to one client. */
function sponsorActions(client: SponsorConnection): SponsorActions {
  return {
    getFeeQuoteOrData: (userOperation, context) => getFeeQuoteOrData(client, userOperation, context),
    sponsorUserOperation: (userOperation, context) => sponsorUserOperation(client, userOperation, context),
    getPaymasterStubData: (parameters) => getPaymasterStubData(client, parameters),
    getPaymasterData: (parameters) => getPaymasterData(client, parameters),
    getTokenQuotes: (parameters) => getTokenQuotes(client, parameters),
    getAllowance: (parameters) => getAllowance(client, parameters),
    getSupportedTokens: () => getSupportedTokens(client),
    getSupportedEntryPoints: () => getSupportedEntryPoints(client),
    validateSponsorshipPolicies: (parameters) => validateSponsorshipPolicies(client, parameters),
  };
}
