import type { Refusal } from '../../domain/result/refusal.ts';

/**
 * What one rule found: its id, what it checked, and what was allowed and asked or used where it counts something. A refusal
 * ends the decision. Pure data: the same inputs give the same ruling, on the real path, in an explanation, in a preview.
 */
export type Ruling = {
  readonly rule: string;
  readonly checked: string;
  readonly limit?: string;
  readonly used?: string;
  readonly refusal?: Refusal;
};
