import type { Hex } from 'viem';
import type { LimitScope, PolicyLimit } from '../../domain/policy.ts';
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

/**
 * Registered contracts by lower-case address. `selectors` are the whitelisted ones, lower-case 4 bytes, with the bytes that the
 * arguments of the method always take, `undefined` where that depends on their values; there are none of a contract with which
 * the paymaster has more than it may have.
 */
export type SponsoredContracts = ReadonlyMap<
  string,
  { readonly name: string; readonly selectors: ReadonlyMap<Hex, number | undefined>; readonly isAboveBound?: true }
>;
