import type { PaymasterActions } from 'viem/account-abstraction';
import { getPaymasterData } from './sponsor/get-paymaster-data.ts';
import { getPaymasterStubData } from './sponsor/get-paymaster-stub-data.ts';
import type { SponsorConnection } from './sponsor/sponsor-connection.ts';
import type { PaymasterContext } from './sponsor/sponsorship-context.ts';

export type CreatePaymasterOptions = {
  /** Context of operations that bring none of their own (viem's `paymasterContext`). Sponsorship by default. */
  readonly context?: PaymasterContext | undefined;
};

/** What `createBundlerClient` of viem and `createSmartAccountClient` of permissionless take as `paymaster`. */
export type Paymaster = Readonly<PaymasterActions>;

/**
 * A paymaster for the clients that send user operations: viem's `createBundlerClient` and permissionless'
 * `createSmartAccountClient`. An operation's own `paymasterContext` takes the place of `context` as a whole.
 *
 * A refusal of the service rejects `sendUserOperation` with `SponsorshipRefusedError`, before anything is signed or sent.
 *
 * @example
 * const client = createSponsorClient({ url: `https://gas.example.org/api/v2/${chainId}/${apiKey}` });
 * const bundlerClient = createBundlerClient({
 *   account,
 *   client: publicClient,
 *   transport: http(bundlerUrl),
 *   paymaster: createPaymaster(client, { context: { sponsorshipInfo: { webhookData: { user: 'u-1' } } } }),
 * });
 */
export function createPaymaster(client: SponsorConnection, options: CreatePaymasterOptions = {}): Paymaster {
  const { context } = options;
  return {
    getPaymasterStubData: (parameters) =>
      getPaymasterStubData(client, { ...parameters, context: parameters.context ?? context }),
    getPaymasterData: (parameters) =>
      getPaymasterData(client, { ...parameters, context: parameters.context ?? context }),
  };
}
