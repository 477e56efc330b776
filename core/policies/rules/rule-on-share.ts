import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

/** That nothing is free where users pay a share. No ruling where they do not. */
export function ruleOnShare({ userPaysPercent: percent }: Pick<Policy, 'userPaysPercent'>): readonly Ruling[] {
  if (percent === undefined) return [];
  return [
    {
      rule: 'policy-share',
      checked: 'mode SPONSORED',
      limit: `userPaysPercent ${percent}`,
      refusal: {
        reason: 'USER_PAYS_SHARE',
        message: `Users pay ${percent} % of the gas in a token; the rest is sponsored. Send the request in mode ERC20.`,
        field: 'mode',
        details: { userPaysPercent: String(percent) },
      },
    },
  ];
}
