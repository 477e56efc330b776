import type { PaymasterContractFamily } from '../../core/evm/paymaster-contracts/family/family.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { weiAmountSchema } from '../config/value-schemas.ts';

/**
 * ERC-7562 has bundlers refuse a paymaster that reads its own storage without a stake, and each bundler says how much is a
 * stake. Alchemy's, which carry most operations, want this much of each chain's coin, but 100 on Polygon
 * (https://www.alchemy.com/docs/wallets/reference/bundler-faqs). The EntryPoint gives it back after the delay.
 */
const usualStake = '0.1 ether';

/** The least unstake delay that bundlers accept under ERC-7562: a day, in seconds. */
export const minUnstakeDelay = 86_400;

/** The least stake with which bundlers carry operations of a paymaster that needs one, with its unit and in wei. */
export function leastStake(chainId: number): { readonly text: string; readonly wei: bigint } {
  const text = findWellKnownChain(String(chainId))?.stake ?? usualStake;
  return { text, wei: weiAmountSchema.parse(text) };
}

/** Whether contracts of the family need a stake. One has its signer in its code and reads no storage of its own. */
export function needsStake({ name }: Pick<PaymasterContractFamily, 'name'>): boolean {
  return name !== 'verifying-paymaster-0.7';
}
