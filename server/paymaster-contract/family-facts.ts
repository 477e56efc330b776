import type { PaymasterContractFamily } from '../../core/evm/paymaster-contracts/family/family.ts';
import { fixedSigner, replaceableSigner } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { weiAmountSchema } from '../config/value-schemas.ts';

const biconomySources: Readonly<Record<string, string>> = {
  'biconomy-sponsorship-1.0.0': 'branch paymaster-v1.0.0-config-july of https://github.com/bcnmy/biconomy-paymasters',
  'biconomy-sponsorship-1.1.0': 'https://github.com/bcnmy/biconomy-paymasters',
  'biconomy-sponsorship-packed': 'branch develop of https://github.com/bcnmy/biconomy-paymasters',
  'biconomy-sponsorship-0.7': 'https://github.com/bcnmy/gasdaddy',
  'biconomy-token-0.6': 'https://github.com/bcnmy/biconomy-paymasters',
  'biconomy-token-0.6-packed': 'branch develop of https://github.com/bcnmy/biconomy-paymasters',
  'biconomy-token-0.7': 'https://github.com/bcnmy/gasdaddy',
};

/** Where to get a family's contract if its code is not on npm. */
export function whereItsCodeIs(family: string): string {
  const source = biconomySources[family] ?? 'its makers';
  return `its source is at ${source}. Build and deploy it there, then name its address under paymasterContracts.`;
}

/** Why the family's contracts do not support adding and removing keys; undefined if they do. */
export function whyNoSigners({ name }: PaymasterContractFamily): string | undefined {
  if (name.startsWith('pimlico-singleton-') || name.startsWith('tollfree-')) return undefined;
  return name.startsWith('verifying-paymaster-') ? fixedSigner : `It has one signer. ${replaceableSigner}`;
}

/** Why the deposit cannot be withdrawn with one call of the contract; undefined if it can. */
export function whyNoWithdrawal({ name }: PaymasterContractFamily): string | undefined {
  if (name !== 'biconomy-sponsorship-0.7') return undefined;
  return 'Its customers withdraw in two steps, with submitWithdrawalRequest and, after its delay, executeWithdrawalRequest';
}

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
