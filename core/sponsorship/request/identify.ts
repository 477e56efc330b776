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

type Parts = Pick<SponsorshipParts, 'profiles' | 'chains'>;

/** apiKey → paymaster. An unknown key and a key of another chain are answered alike. */
export async function identify(
  { profiles, chains }: Parts,
  request: { readonly apiKey: string; readonly chainId: number },
): Promise<Result<Identified>> {
  const profile = await profiles.find(request.apiKey);
  if (profile === undefined || profile.paymaster.chainId !== request.chainId) {
    return refuse({ reason: 'UNAUTHORIZED', message: 'The apiKey in the URL is not accepted for this chain.' });
  }
  const chain = chains.get(request.chainId);
  if (chain === undefined) {
    return refuse({ reason: 'CHAIN_NOT_SUPPORTED', message: `Chain ${request.chainId} is no longer served.` });
  }
  const contract = chain.contracts.get(profile.paymaster.version);
  if (contract === undefined) {
    return refuse({
      reason: 'ENTRY_POINT_NOT_SUPPORTED',
      message: `Paymaster version ${profile.paymaster.version} is no longer served on this chain.`,
    });
  }
  if (contract.fault !== undefined) return refuse({ reason: 'CHAIN_UNAVAILABLE', message: contract.fault });
  return accept({ profile, chain, contract });
}

/** The same for a request that names its EntryPoint, which must be the one the paymaster works with. */
export async function identifyForEntryPoint(
  parts: Parts,
  request: { readonly apiKey: string; readonly chainId: number; readonly entryPoint: string },
): Promise<Result<Identified>> {
  const identified = await identify(parts, request);
  if (!identified.ok) return identified;
  const { family, place } = identified.value.contract;
  if (request.entryPoint.toLowerCase() === place.entryPoint.toLowerCase()) return identified;
  return refuse({
    reason: 'ENTRY_POINT_NOT_SUPPORTED',
    message: `This paymaster works with EntryPoint ${family.entryPointVersion} at ${place.entryPoint}.`,
    field: 'entryPoint',
  });
}
