import type { Address } from 'viem';
import type { Signer } from '../signer/signer.ts';
import type { PaymasterContract, PaymasterContractFamily } from './family/family.ts';

/** A configured paymaster contract: its family, its place on chain, who receives its tokens, its markup in millionths. */
export type PaymasterContractRuntime = {
  readonly version: string;
  readonly family: PaymasterContractFamily;
  readonly location: PaymasterContract;
  readonly treasury: Address;
  readonly priceMarkup: number;
  /** Added to a token's own premium in token mode, in basis points. */
  readonly premiumBasisPoints: number;
  /** The key that signs for it: the newest that it accepts. */
  readonly signer: Signer;
  /** Why nothing is signed for it, in a sentence: it is not what the configuration says. */
  readonly fault?: string;
};
