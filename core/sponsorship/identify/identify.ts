import { unixSeconds } from '../../base/time/clock.ts';
import { noteRuling } from '../../decisions/decision-draft.ts';
import type { PaymasterDataRequest, PaymasterKey } from '../../domain/paymaster-data.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/family/family.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import { refusedBy } from '../../policies/rules/decide-stage.ts';
import type { Asked } from '../run/asked.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';
import type { SponsorshipParts } from '../run/sponsorship-parts.ts';
import { noted, type Step } from '../run/steps.ts';
import { ruleOnRate, ruleOnState, rulesOnKey } from './rules-on-key.ts';

const seen = { rule: 'paymaster', finding: ['paymaster'] } as const;

/** Finds the paymaster of the request's apiKey. */
export const identifyPaymaster: Step<Asked, Identified> = noted(seen, async ({ parts, request, draft }: Asked) =>
  remember(draft, await findPaymaster(parts, request)),
);

/** The same for the methods that name an EntryPoint (ERC-7677). */
export const identifyPaymasterAt: Step<Asked & { readonly request: PaymasterDataRequest }, Identified> = noted(
  seen,
  async ({ parts, request, draft }: Asked & { readonly request: PaymasterDataRequest }) =>
    remember(draft, await findPaymasterAt(parts, request)),
);

function remember(draft: Asked['draft'], identified: Result<Identified>): Result<Identified> {
  if (identified.ok) draft.paymasterId = identified.value.profile.paymaster.paymasterId;
  return identified;
}

/** Whether the apiKey allows the request, and whether its paymaster is active. */
export const checkKey: Step<Asked & Identified, object> = ({ parts, profile, draft, request }) => {
  const rulings = rulesOnKey(profile.key, request.arrival);
  for (const ruling of rulings) noteRuling(draft, ruling);
  const state = ruleOnState(profile.paymaster);
  if (state !== undefined && refusedBy(rulings) === undefined) noteRuling(draft, state);
  const refused = refusedBy(rulings) ?? state;
  if (refused?.refusal !== undefined) return refuse(refused.refusal);
  const rate = ruleOnRate(profile, parts.takeOfRate);
  if (rate?.refusal === undefined) return accept({});
  // Not stored: otherwise a caller above the rate limit would cause a write per request.
  delete draft.paymasterId;
  return refuse(rate.refusal);
};

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
 * apiKey → paymaster, whatever the key's restrictions and its contract's state. An unknown key and a key of another chain
 * get the same answer.
 */
async function findPaymaster(
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
async function findPaymasterAt(parts: Parts, request: AskedAt): Promise<Result<Identified>> {
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
