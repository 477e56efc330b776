import { utcTime } from '../../base/time/clock.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-period' as const;

/** From when until when the policy sponsors anything; `now` in Unix seconds. */
export function ruleOnPeriod({ notBefore, notAfter }: Policy, now: number): Ruling {
  const bounds = [
    ...(notBefore === undefined ? [] : [`from ${utcTime(notBefore)}`]),
    ...(notAfter === undefined ? [] : [`before ${utcTime(notAfter)}`]),
  ];
  const seen = { rule, checked: utcTime(now), ...(bounds.length === 0 ? {} : { limit: bounds.join(', ') }) };
  if (notBefore !== undefined && now < notBefore) {
    return {
      ...seen,
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'PERIOD',
        message: `The policy of this paymaster sponsors nothing before ${utcTime(notBefore)}.`,
        details: { limit: 'notBefore', frees: `Set an earlier notBefore, or try again from ${utcTime(notBefore)} on.` },
      },
    };
  }
  if (notAfter !== undefined && now >= notAfter) {
    return {
      ...seen,
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'PERIOD',
        message: `The policy of this paymaster has sponsored nothing since ${utcTime(notAfter)}.`,
        details: { limit: 'notAfter', frees: 'Set a later notAfter. The policy does not resume by itself.' },
      },
    };
  }
  return seen;
}
