import { noteRuling } from '../../decisions/decision-draft.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import { refusedBy } from '../../policies/rules/decide-stage.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { Identified } from './identify.ts';
import { rulesOnKey } from './rules-on-key.ts';

/** Whether the request may be made with its apiKey. */
export const checkKey: Step<Asked & Identified, object> = ({ profile, draft }) => {
  const rulings = rulesOnKey(profile.key);
  for (const ruling of rulings) noteRuling(draft, ruling);
  const refused = refusedBy(rulings);
  return refused === undefined ? accept({}) : refuse(refused.refusal);
};
