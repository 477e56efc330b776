import { noteRuling } from '../../decisions/decision-draft.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import { refusedBy } from '../../policies/rules/decide-stage.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { Identified } from './identify.ts';
import { ruleOnRate } from './rule-on-rate.ts';
import { ruleOnState } from './rule-on-state.ts';
import { rulesOnKey } from './rules-on-key.ts';

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
