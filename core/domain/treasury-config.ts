import type { LocalKeyConfig } from './signing/signer-config.ts';

/** A balance below `below` is topped up to `to`, in wei. */
export type RefillRule = { readonly below: bigint; readonly to: bigint };

/**
 * How many EIP-7702 authorizations the hot wallet sends for accounts, whose tanks pay: wei in any 24 hours, with the maximum
 * fee of each transaction, and number for each account.
 */
export type AuthorizationRule = { readonly maxPerDay: bigint; readonly perAccountPerDay: number };

/** The operator's hot wallet on a chain, and what it tops up. */
export type TreasuryConfig = {
  readonly wallet: LocalKeyConfig;
  /** The most that may leave it in any 24 hours, in wei, including the maximum gas fee of each transfer. */
  readonly maxPerDay: bigint;
  /** For each executor of the chain's relay; none is topped up when absent. */
  readonly executors?: RefillRule;
  /** For the deposit of each paymaster contract; none is topped up when absent. */
  readonly deposits?: RefillRule;
  /** For accounts of the relay's tenants; none is sent when absent. */
  readonly authorizations?: AuthorizationRule;
};

/** Why a due refill is not sent. */
export const refillBlocks = [
  /** Too few nodes report the balances. */
  'nodes',
  /** The wallet has too little coin. */
  'wallet',
  /** `maxPerDay` is used up. */
  'cap',
  /** Gas is above the chain's ceiling, or costs too much for the amount. */
  'fees',
  /** A transfer has not landed for a long time. */
  'stuck',
  /** The wallet has pending transactions that the service did not send. */
  'nonce',
  /** The wallet is the funding wallet of a paymaster. */
  'shared',
  /** The service signs nothing at the moment, or the last run failed. */
  'fault',
] as const;
export type RefillBlock = (typeof refillBlocks)[number];

/** The result of the last run, known to the leading process. */
export type TreasuryStatus = {
  /** Why a due refill is not sent, or a transfer has not landed; absent while nothing is due. */
  readonly block?: RefillBlock;
  /** In wei. */
  readonly walletBalance?: bigint;
};
