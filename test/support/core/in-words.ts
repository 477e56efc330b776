import { textsOf } from '../../../core/policies/findings/finding.ts';
import type { Ruling } from '../../../core/policies/rules/ruling.ts';

/** Rulings with their texts. */
export function inWords(rulings: readonly Ruling[]) {
  return rulings.map(({ finding, ...ruling }) => ({ ...ruling, ...textsOf(finding) }));
}
