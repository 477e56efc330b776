import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { SponsorProfile } from '../../management/paymasters/sponsor-profile.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';
import type { SponsorshipParts } from '../run/sponsorship-parts.ts';

/** Whose request it is, and on which chain and paymaster contract it will be signed. */
export type Identified = {
  readonly profile: SponsorProfile;
  readonly chain: ChainRuntime;
  readonly contract: PaymasterContractRuntime;
};

/** First step: apiKey → paymaster. An unknown key and a key of another chain are answered alike. */
export async function identify(
  parts: SponsorshipParts,
  request: { readonly apiKey: string; readonly chainId: number },
): Promise<Result<Identified>> {
  const profile = await parts.profiles.find(request.apiKey);
  if (profile === undefined || profile.paymaster.chainId !== request.chainId) {
    return refuse({ reason: 'UNAUTHORIZED', message: 'The apiKey in the URL is not accepted for this chain.' });
  }
  const chain = parts.chains.get(request.chainId);
  if (chain === undefined) {
    return refuse({ reason: 'CHAIN_NOT_SUPPORTED', message: `Chain ${request.chainId} is not served any more.` });
  }
  const contract = chain.contracts.get(profile.paymaster.version);
  if (contract === undefined) {
    return refuse({
      reason: 'ENTRY_POINT_NOT_SUPPORTED',
      message: `Paymaster version ${profile.paymaster.version} is not served on this chain any more.`,
    });
  }
  if (contract.fault !== undefined) return refuse({ reason: 'CHAIN_UNAVAILABLE', message: contract.fault });
  return accept({ profile, chain, contract });
}
