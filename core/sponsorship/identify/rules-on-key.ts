import { isInNetwork, matchesOrigin } from '../../domain/api-key-rules.ts';
import type { Arrival } from '../../domain/arrival.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { TakeOfRate } from '../../paymasters/key-rates.ts';
import type { AskingKey, SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

/**
 * Whether the apiKey allows a request, up to the first refusal. No ruling for a key without settings. If the key is
 * restricted to something the request does not state, the request is refused.
 */
export function rulesOnKey(key: AskingKey, arrival: Partial<Arrival> = {}): readonly Ruling[] {
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
export function ruleOnRate({ paymaster, key }: SponsorProfile, take: TakeOfRate): Ruling | undefined {
  const { rate } = key.rules;
  if (rate === undefined) return undefined;
  const limit = `${rate.perSecond} requests per second, burst ${rate.burst}`;
  const seen: Ruling = { rule: 'api-key-rate', finding: ['api-key-rate', limit] };
  if (take(`${paymaster.paymasterId} ${key.keyNumber}`, rate)) return seen;
  const message = `Too many requests with this apiKey. Its rate is ${limit}.`;
  return { ...seen, refusal: { reason: 'RATE_LIMITED', message, details: { key: key.name } } };
}

const seen: Ruling = { rule: 'paymaster-state', finding: ['paymaster-state'] };

/** Refuses if the paymaster is paused or retired; otherwise no ruling. */
export function ruleOnState({ pausedAt, retiredAt }: Paymaster): Ruling | undefined {
  if (retiredAt !== undefined) {
    return { ...seen, refusal: { reason: 'PAYMASTER_RETIRED', message: 'The paymaster is retired.' } };
  }
  if (pausedAt === undefined) return undefined;
  return { ...seen, refusal: { reason: 'PAYMASTER_PAUSED', message: 'The paymaster is paused by its owner.' } };
}
