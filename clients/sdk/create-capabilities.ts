import type { PaymasterContext } from './sponsor/sponsorship-context.ts';

export type CreateCapabilitiesOptions = {
  /** RPC endpoint of a paymaster, as the wallet reaches it: `https://gas.example.org/api/v2/{chainId}/{apiKey}`. */
  readonly url: string;
  /** Determines who pays, as for `createPaymaster`. Sponsorship by default. */
  readonly paymasterContext?: PaymasterContext | undefined;
  /** A wallet without paymaster support may also send the calls: its user pays then. */
  readonly optional?: boolean | undefined;
};

/** `capabilities` of EIP-5792's `wallet_sendCalls`, with only the paymaster service of ERC-7677. */
export type SponsoredCapabilities = {
  readonly paymasterService: {
    readonly url: string;
    readonly context?: PaymasterContext;
    readonly optional?: true;
  };
};

/**
 * What makes a wallet ask this paymaster (ERC-7677): the `capabilities` of viem's and wagmi's `sendCalls`. The wallet
 * asks, not the page, so the URL has to be one that it can reach.
 *
 * @example
 * const id = await walletClient.sendCalls({
 *   calls: [{ to: shop, abi: shopAbi, functionName: 'buy', args: [1n] }],
 *   capabilities: createCapabilities({ url: `https://gas.example.org/api/v2/${chainId}/${apiKey}` }),
 * });
 */
export function createCapabilities(options: CreateCapabilitiesOptions): SponsoredCapabilities {
  const { url, paymasterContext, optional } = options;
  return {
    paymasterService: {
      url,
      ...(paymasterContext === undefined ? {} : { context: paymasterContext }),
      ...(optional === true ? { optional } : {}),
    },
  };
}
