import type { PolicyStage } from '../../policies/rules/rule-ids.ts';

/** That a stage of the policy has been decided for the request. */
export type StageDecided<Stage extends PolicyStage> = { readonly [Name in Stage as `${Name}Decided`]: true };

/**
 * That all stages have been decided which come before the hold. What holds for a sponsorship asks for this, so a stage
 * that the pipeline leaves out does not compile.
 */
export type StagesDecided = StageDecided<Exclude<PolicyStage, 'hold'>>;

/** The same for token mode, which the code of the account does not matter to: its user pays, whatever it does. */
export type TokenStagesDecided = StageDecided<Exclude<PolicyStage, 'hold' | 'account'>>;
