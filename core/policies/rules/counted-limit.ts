import type { LimitScope, PolicyLimit } from '../../domain/policy.ts';

/**
 * What is counted in the transaction of a hold: a limit of the policy, one of an apiKey, which counts what is sponsored with
 * that key, or the uses or the budget of one ticket.
 */
export type CountedLimit = Omit<PolicyLimit, 'per'> & { readonly per: LimitScope | 'key' | 'ticket' };
