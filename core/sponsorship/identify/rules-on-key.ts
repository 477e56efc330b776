import { isInNetwork, matchesOrigin } from '../../domain/api-key-rules.ts';
import type { Arrival } from '../../domain/keys/arrival.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { AskingKey } from '../../paymasters/sponsor-profile.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

/**
 *
 *
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
  const seen = { rule: 'api-key', checked: `the apiKey "${key.name}"` } as const;
  yield key.disabled
    ? { ...seen, ...refusal('KEY_DISABLED', 'The apiKey in the URL is disabled by its owner.') }
    : seen;
  if (origins.length > 0) {
    const from = origin === undefined ? 'without an Origin' : `from the origin ${printable(origin)}`;
    const is = { rule: 'api-key-origins', checked: `a request ${from}`, limit: origins.join(', ') } as const;
    const fits = origin !== undefined && origins.some((one) => matchesOrigin(one, origin));
    const message = `The apiKey in the URL does not allow requests ${from}.`;
    yield fits ? is : { ...is, ...refusal('ORIGIN_NOT_ALLOWED', message) };
  }
  if (networks.length > 0) {
    const from = address === undefined ? 'an unknown address' : printable(address);
    const is = { rule: 'api-key-networks', checked: `a request from ${from}`, limit: networks.join(', ') } as const;
    const fits = address !== undefined && networks.some((one) => isInNetwork(one, address));
    const message = `The apiKey in the URL does not allow requests from ${from}.`;
    yield fits ? is : { ...is, ...refusal('ADDRESS_NOT_ALLOWED', message) };
  }
  if (methods.length > 0) {
    const asked = method === undefined ? 'an unknown method' : printable(method);
    const is = { rule: 'api-key-methods', checked: asked, limit: methods.join(', ') } as const;
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
