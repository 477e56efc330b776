import type { Hex } from 'viem';
import type { LimitScope, PolicyLimit } from '../../domain/policy.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { Finding } from '../findings/finding.ts';

/** The stages of a decision, in order, by what the rules of a policy need to know. */
export const policyStages = ['request', 'account', 'cost', 'hold'] as const;
export type PolicyStage = (typeof policyStages)[number];

/** Rule ids of the service's own steps, in the order in which a sponsorship passes them. */
const stepIds = [
  'paymaster',
  'api-key',
  'operation',
  'policy',
  'mode',
  'lifetime',
  'fee-token',
  'decode',
  'ticket',
  'operator-gas-price',
  'funding-wallet',
  'chain',
  'chain-gas-price',
  'signer',
  'token-price',
  'webhook',
  'gas-limits',
  'given-limits',
  'account',
  'operation-gas',
  'contract-state',
  'quote',
  'token-payment',
  'operator-cost',
  'coin-price',
  'operator-holds',
  'operator-unpaid',
  'gas-tank',
  'vendor',
  'bundler',
] as const;
export type StepId = (typeof stepIds)[number];

/**
 * The result of one rule: its id, and what it found, of which texts are made when someone reads them. A refusal ends the
 * decision. Pure data: the same input gives the same ruling in the live decision, in an explanation and in
 * a preview.
 */
export type Ruling = {
  readonly rule: string;
  readonly finding: Finding;
  readonly refusal?: Refusal;
};

/**
 * A limit counted in the transaction of a hold: one of the policy, one of an apiKey (counts what is sponsored with it), or
 * the uses or budget of a ticket.
 */
export type CountedLimit = Omit<PolicyLimit, 'per'> & { readonly per: LimitScope | 'key' | 'ticket' };

/**
 * Registered contracts by lower-case address. `selectors` are the whitelisted ones, lower-case 4 bytes, each with the fixed
 * size of the method's arguments in bytes, or `undefined` if it depends on their values. Empty for a contract with which the
 * paymaster exceeds its maximum.
 */
export type SponsoredContracts = ReadonlyMap<
  string,
  { readonly name: string; readonly selectors: ReadonlyMap<Hex, number | undefined>; readonly isAboveBound?: true }
>;
