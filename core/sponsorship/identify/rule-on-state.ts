import type { Paymaster } from '../../domain/paymaster.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

const seen = { rule: 'paymaster-state', checked: 'whether the paymaster is active' } as const;

/** Refuses if the paymaster is paused or retired; otherwise no ruling. */
export function ruleOnState({ pausedAt, retiredAt }: Paymaster): Ruling | undefined {
  if (retiredAt !== undefined) {
    return { ...seen, refusal: { reason: 'PAYMASTER_RETIRED', message: 'The paymaster is retired.' } };
  }
  if (pausedAt === undefined) return undefined;
  return { ...seen, refusal: { reason: 'PAYMASTER_PAUSED', message: 'The paymaster is paused by its owner.' } };
}
