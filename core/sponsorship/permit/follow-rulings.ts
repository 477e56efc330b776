import { type DecisionDraft, noteRuling } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

/** Notes rulings up to the first refusal, which is the answer; with none of them, `value`. */
export function followRulings<T>(draft: DecisionDraft, rulings: readonly Ruling[], value: T): Result<T> {
  for (const ruling of rulings) {
    noteRuling(draft, ruling);
    if (ruling.refusal !== undefined) return refuse(ruling.refusal);
  }
  return accept(value);
}
