import type { TakeOfRate } from '../../paymasters/key-rates.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

/** Takes a request from the key's rate. Undefined for a key without one. */
export function ruleOnRate({ paymaster, key }: SponsorProfile, take: TakeOfRate): Ruling | undefined {
  const { rate } = key.rules;
  if (rate === undefined) return undefined;
  const limit = `${rate.perSecond} requests per second, burst ${rate.burst}`;
  const seen = { rule: 'api-key-rate', checked: 'how often the apiKey sends requests', limit } as const;
  if (take(`${paymaster.paymasterId} ${key.keyNumber}`, rate)) return seen;
  const message = `Too many requests with this apiKey. Its rate is ${limit}.`;
  return { ...seen, refusal: { reason: 'RATE_LIMITED', message, details: { key: key.name } } };
}
