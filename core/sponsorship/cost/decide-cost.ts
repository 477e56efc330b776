import { omitAbsent } from '@tollfree/contract/omit-absent';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import type { Identified } from '../identify/identify.ts';
import { followRulings, type StageDecided } from '../permit/decide-request.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { Granted, WorstCase } from './cap-cost.ts';
import type { PricedCost } from './price-coin.ts';

/** The rules of the owner's policy about what one operation can cost. */
export const decideCost: Step<Asked & Identified & Granted & WorstCase & PricedCost, StageDecided<'cost'>> = ({
  draft,
  profile,
  grant,
  gas,
  worstCase,
  usdMicrosPerCoin,
}) => {
  const facts = { policy: profile.policy, gas, worstCase, ...omitAbsent({ usdMicrosPerCoin }) };
  return followRulings(draft, decideStage('cost', facts, grant.mode), { costDecided: true as const });
};
