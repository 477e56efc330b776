import { unixSeconds } from '../../base/time/clock.ts';
import type { PaymasterKey } from '../../domain/paymaster-data.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/paymaster-contract-runtime.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import { refusedBy } from '../../policies/rules/decide-stage.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';
import type { SponsorshipParts } from '../run/sponsorship-parts.ts';
import { ruleOnRate } from './rule-on-rate.ts';
import { ruleOnState } from './rule-on-state.ts';
import { rulesOnKey } from './rules-on-key.ts';

/** The paymaster of a request, with its chain and paymaster contract. */
export type Identified = {
  readonly profile: SponsorProfile;
  readonly chain: ChainRuntime;
  readonly contract: PaymasterContractRuntime;
};

type Parts = Pick<SponsorshipParts, 'profiles' | 'chains' | 'noteUse' | 'takeOfRate' | 'clock'>;

/** apiKey → paymaster, for a request that the key may make. */
export async function identify(parts: Parts, request: PaymasterKey): Promise<Result<Identified>> {
  const found = await findPaymaster(parts, request);
  if (!found.ok) return found;
  const { profile, contract } = found.value;
  if (contract.fault !== undefined) return refuseFault(contract.fault);
  const ofKey = refusedBy(rulesOnKey(profile.key, request.arrival)) ?? ruleOnState(profile.paymaster);
  const refused = ofKey ?? ruleOnRate(profile, parts.takeOfRate);
  return refused?.refusal === undefined ? found : refuse(refused.refusal);
}

/**
 *
 *
 * apiKey → paymaster, whatever the key's restrictions and its contract's state. An unknown key and a key of another chain
 * get the same answer.
 */
export async function findPaymaster(
  { profiles, chains, noteUse, clock }: Parts,
  request: { readonly apiKey: string; readonly chainId: number },
): Promise<Result<Identified>> {
  const profile = await profiles.find(request.apiKey);
  if (profile === undefined || profile.paymaster.chainId !== request.chainId) {
    return refuse({ reason: 'UNAUTHORIZED', message: 'The apiKey in the URL is not accepted for this chain.' });
  }
  const { apiKeyId } = profile.key;
  if (apiKeyId !== undefined) noteUse?.({ of: 'api-key', id: apiKeyId, at: unixSeconds(clock) });
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
  return accept({ profile, chain, contract });
}

/** A contract that does not match the configuration. */
export function refuseFault(message: string): Result<never> {
  return refuse({ reason: 'CHAIN_UNAVAILABLE', message });
}

type AskedAt = PaymasterKey & { readonly entryPoint: string };

/** {@link identify} for a request that names its EntryPoint, which must be the one the paymaster works with. */
export async function identifyForEntryPoint(parts: Parts, request: AskedAt): Promise<Result<Identified>> {
  return atEntryPoint(await identify(parts, request), request);
}

/** {@link findPaymaster} for such a request. */
export async function findPaymasterAt(parts: Parts, request: AskedAt): Promise<Result<Identified>> {
  return atEntryPoint(await findPaymaster(parts, request), request);
}

function atEntryPoint(identified: Result<Identified>, request: AskedAt): Result<Identified> {
  if (!identified.ok) return identified;
  const { family, location } = identified.value.contract;
  if (request.entryPoint.toLowerCase() === location.entryPoint.toLowerCase()) return identified;
  return refuse({
    reason: 'ENTRY_POINT_NOT_SUPPORTED',
    message: `This paymaster works with EntryPoint ${family.entryPointVersion} at ${location.entryPoint}.`,
    field: 'entryPoint',
  });
}
