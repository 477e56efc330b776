import type { PaymasterContractFamily } from '../../core/evm/paymaster-contracts/family/family.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { weiAmountSchema } from '../config/value-schemas.ts';

/**
 * Under ERC-7562 bundlers refuse an unstaked paymaster that reads its own storage, and each bundler sets its minimum.
 * Alchemy's, which carry most operations, require this amount of each chain's coin, but 100 on Polygon
 * (https://www.alchemy.com/docs/wallets/reference/bundler-faqs). The EntryPoint returns it after the delay.
 */
const usualStake = '0.1 ether';

/** The minimum unstake delay that bundlers accept under ERC-7562: a day, in seconds. */
export const minUnstakeDelay = 86_400;

/** The minimum stake with which bundlers accept a paymaster that needs one, with its unit and in wei. */
export function leastStake(chainId: number): { readonly text: string; readonly wei: bigint } {
  const text = findWellKnownChain(String(chainId))?.stake ?? usualStake;
  return { text, wei: weiAmountSchema.parse(text) };
}

/** Whether the family's contracts need a stake. One has its signer in its code and reads no storage of its own. */
export function needsStake({ name }: Pick<PaymasterContractFamily, 'name'>): boolean {
  return name !== 'verifying-paymaster-0.7';
}
