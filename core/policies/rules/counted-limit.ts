import type { LimitScope, PolicyLimit } from '../../domain/policy.ts';

/**
 * What is counted in the transaction of a hold: a limit of the policy, one of an apiKey, which counts what is sponsored with
 * that key, the uses or the budget of one ticket, or a webhook's budget, which counts what is sponsored without that.
 */
export type CountedLimit = Omit<PolicyLimit, 'per'> &
  (
    | { readonly per: LimitScope | 'key' | 'ticket'; readonly webhook?: never }
    /** `webhook` says which one, and the key that it is counted under. */
    | { readonly per: 'webhook'; readonly webhook: { readonly webhookId: string; readonly key: string } }
  );
