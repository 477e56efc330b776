import { type SponsorActions, sponsorActions } from './sponsor/sponsor-actions.ts';
import {
  connectSponsor,
  type HttpTransportOptions,
  httpTransport,
  type SponsorConnection,
  type SponsorTransport,
} from './sponsor/sponsor-connection.ts';

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
