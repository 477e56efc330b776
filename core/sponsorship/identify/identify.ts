import { counted } from '@tollfree/contract/counted';
import { unixSeconds } from '../../base/time/clock.ts';
import { limitedClient } from '../../base/values/limited-client.ts';
import { noteRuling } from '../../decisions/decision-draft.ts';
import { isInNetwork, matchesOrigin } from '../../domain/api-key-rules.ts';
import type { Arrival } from '../../domain/arrival.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import type { PaymasterDataRequest, PaymasterKey } from '../../domain/paymaster-data.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/family/family.ts';
import type { TakeOfRate } from '../../paymasters/key-rates.ts';
import type { AskingKey, SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import { refusedBy } from '../../policies/rules/decide-stage.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { ChainRuntime, SponsorshipParts } from '../run/sponsorship-parts.ts';
import { type Asked, noted, type Step } from '../run/steps.ts';

/**
 * Whether the apiKey allows a request, up to the first refusal. No ruling for a key without settings. If the key is
 * restricted to something the request does not state, the request is refused.
 */
function rulesOnKey(key: AskingKey, arrival: Partial<Arrival> = {}): readonly Ruling[] {
  if (!key.isSet) return [];
  const rulings: Ruling[] = [];
  for (const ruling of decideKey(key, arrival)) {
    rulings.push(ruling);
    if (ruling.refusal !== undefined) break;
  }
  return rulings;
}

type KeyReason = 'KEY_DISABLED' | 'ORIGIN_NOT_ALLOWED' | 'ADDRESS_NOT_ALLOWED' | 'RPC_METHOD_NOT_ALLOWED';

function* decideKey(key: AskingKey, { origin, address, method }: Partial<Arrival>): Iterable<Ruling> {
  const { origins, networks, methods } = key.rules;
  const refusal = (reason: KeyReason, message: string): { refusal: Refusal } => ({
    refusal: { reason, message, details: { key: key.name } },
  });
  const seen: Ruling = { rule: 'api-key', finding: ['api-key', key.name] };
  yield key.disabled
    ? { ...seen, ...refusal('KEY_DISABLED', 'The apiKey in the URL is disabled by its owner.') }
    : seen;
  if (origins.length > 0) {
    const shown = origin === undefined ? undefined : printable(origin);
    const is: Ruling = { rule: 'api-key-origins', finding: ['api-key-origins', shown, origins.join(', ')] };
    const from = shown === undefined ? 'without an Origin' : `from the origin ${shown}`;
    const fits = origin !== undefined && origins.some((one) => matchesOrigin(one, origin));
    const message = `The apiKey in the URL does not allow requests ${from}.`;
    yield fits ? is : { ...is, ...refusal('ORIGIN_NOT_ALLOWED', message) };
  }
  if (networks.length > 0) {
    const from = address === undefined ? 'an unknown address' : printable(address);
    const is: Ruling = { rule: 'api-key-networks', finding: ['api-key-networks', from, networks.join(', ')] };
    const fits = address !== undefined && networks.some((one) => isInNetwork(one, address));
    const message = `The apiKey in the URL does not allow requests from ${from}.`;
    yield fits ? is : { ...is, ...refusal('ADDRESS_NOT_ALLOWED', message) };
  }
  if (methods.length > 0) {
    const asked = method === undefined ? 'an unknown method' : printable(method);
    const is: Ruling = { rule: 'api-key-methods', finding: ['api-key-methods', asked, methods.join(', ')] };
    const message = `The apiKey in the URL does not allow ${asked}.`;
    yield method !== undefined && methods.includes(method)
      ? is
      : { ...is, ...refusal('RPC_METHOD_NOT_ALLOWED', message) };
  }
}

/** Most characters of client text that are echoed. */
const maxRepeated = 100;

function printable(text: string): string {
  return text.slice(0, maxRepeated).replace(/[^\x20-\x7e]/g, '?');
}

/** Takes a request from the key's rate. Undefined for a key without one. */
function ruleOnRate(
  { paymaster, key }: SponsorProfile,
  take: TakeOfRate,
  { address }: Pick<Arrival, 'address'> = {},
): Ruling | undefined {
  const { rate } = key.rules;
  if (rate === undefined) return undefined;
  const limit = `${counted(rate.perSecond, 'request')} per second, burst ${rate.burst}`;
  const seen: Ruling = { rule: 'api-key-rate', finding: ['api-key-rate', limit] };
  const client = address === undefined ? undefined : limitedClient(address);
  if (take(`${paymaster.paymasterId} ${key.keyNumber}`, rate, client)) return seen;
  const message = `Too many requests with this apiKey. Its rate is ${limit}.`;
  return { ...seen, refusal: { reason: 'RATE_LIMITED', message, details: { key: key.name } } };
}

const seen: Ruling = { rule: 'paymaster-state', finding: ['paymaster-state'] };

/** Refuses if the paymaster is paused or retired; otherwise no ruling. */
function ruleOnState({ pausedAt, retiredAt }: Paymaster): Ruling | undefined {
  if (retiredAt !== undefined) {
    return { ...seen, refusal: { reason: 'PAYMASTER_RETIRED', message: 'The paymaster is retired.' } };
  }
  if (pausedAt === undefined) return undefined;
  return { ...seen, refusal: { reason: 'PAYMASTER_PAUSED', message: 'The paymaster is paused by its owner.' } };
}

const seenPaymaster = { rule: 'paymaster', finding: ['paymaster'] } as const;

/** Finds the paymaster of the request's apiKey. */
export const identifyPaymaster: Step<Asked, Identified> = noted(
  seenPaymaster,
  async ({ parts, request, draft }: Asked) => remember(draft, await findPaymaster(parts, request)),
);

/** Finds the paymaster of the request's apiKey for the methods that name an EntryPoint (ERC-7677). */
export const identifyPaymasterAt: Step<Asked & { readonly request: PaymasterDataRequest }, Identified> = noted(
  seenPaymaster,
  async ({ parts, request, draft }: Asked & { readonly request: PaymasterDataRequest }) =>
    remember(draft, await findPaymasterAt(parts, request)),
);

function remember(draft: Asked['draft'], identified: Result<Identified>): Result<Identified> {
  if (identified.ok) {
    draft.paymasterId = identified.value.profile.paymaster.paymasterId;
    draft.keyNumber = identified.value.profile.key.keyNumber;
  }
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
  const rate = ruleOnRate(profile, parts.takeOfRate, request.arrival);
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
  const refused = ofKey ?? ruleOnRate(profile, parts.takeOfRate, request.arrival);
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
