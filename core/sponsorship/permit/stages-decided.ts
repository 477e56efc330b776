import type { PolicyStage } from '../../policies/rules/rule-ids.ts';

/** Marks that a stage of the policy has been decided for the request. */
export type StageDecided<Stage extends PolicyStage> = { readonly [Name in Stage as `${Name}Decided`]: true };

/**
 *
 *
 * Marks that all stages before the hold have been decided. Holding for a sponsorship requires this type, so a pipeline
 * without one of the stages does not compile.
 */
export type StagesDecided = StageDecided<Exclude<PolicyStage, 'hold'>>;

/** The same for token mode, where the account's code does not matter, since its user pays. */
export type TokenStagesDecided = StageDecided<Exclude<PolicyStage, 'hold' | 'account'>>;
