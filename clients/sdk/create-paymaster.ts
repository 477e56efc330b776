import type { PaymasterActions } from 'viem/account-abstraction';
import { getPaymasterData } from './sponsor/get-paymaster-data.ts';
import { getPaymasterStubData } from './sponsor/get-paymaster-stub-data.ts';
import { mergeContexts, rememberContext } from './sponsor/merge-contexts.ts';
import type { SponsorConnection } from './sponsor/sponsor-connection.ts';
import type { PaymasterContext } from './sponsor/sponsorship-context.ts';

export type CreatePaymasterOptions = {
  /** Context of all operations, merged with an operation's `paymasterContext`. Sponsorship by default. */
  readonly paymasterContext?: PaymasterContext | undefined;
};

/** These clients put the limits of an answer into the operation, so the service may raise one. */
const takesLimits = { calculateGasLimits: true } as const;

/** The `paymaster` for viem's `createBundlerClient` and permissionless' `createSmartAccountClient`. */
export type Paymaster = Readonly<PaymasterActions>;

/**
 * A paymaster for the clients that send user operations: viem's `createBundlerClient` and permissionless'
 * `createSmartAccountClient`. An operation's own `paymasterContext` is merged into it: its fields win.
 *
 * A refusal of the service rejects `sendUserOperation` with `SponsorshipRefusedError`, before anything is signed or sent.
 *
 * @example
 * const client = createSponsorClient({ url: `https://gas.example.org/api/v2/${chainId}/${apiKey}` });
 * const bundlerClient = createBundlerClient({
 *   account,
 *   client: publicClient,
 *   transport: http(bundlerUrl),
 *   paymaster: createPaymaster(client, { paymasterContext: { sponsorshipInfo: { webhookData: { user: 'u-1' } } } }),
 * });
 */
export function createPaymaster(client: SponsorConnection, options: CreatePaymasterOptions = {}): Paymaster {
  const { paymasterContext } = options;
  const paymaster: Paymaster = {
    getPaymasterStubData: (parameters) =>
      getPaymasterStubData(client, { ...parameters, context: mergeContexts(paymasterContext, parameters.context) }),
    getPaymasterData: (parameters) => {
      const context = mergeContexts(mergeContexts(takesLimits, paymasterContext), parameters.context);
      return getPaymasterData(client, { ...parameters, context });
    },
  };
  rememberContext(paymaster, paymasterContext);
  return paymaster;
}
