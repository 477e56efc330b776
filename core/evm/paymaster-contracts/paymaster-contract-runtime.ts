import type { Address } from 'viem';
import type { Signer } from '../signer/signer.ts';
import type { PaymasterContract, PaymasterContractFamily } from './family/family.ts';

/** A configured paymaster contract: its family, its address, its token receiver, its markup in millionths. */
export type PaymasterContractRuntime = {
  readonly version: string;
  readonly family: PaymasterContractFamily;
  readonly location: PaymasterContract;
  readonly treasury: Address;
  readonly priceMarkup: number;
  /** Added to a token's own premium in token mode, in basis points. */
  readonly premiumBasisPoints: number;
  /** The signing key: the newest one that the contract accepts. */
  readonly signer: Signer;
  /** Why nothing is signed for the contract, as a sentence: it does not match the configuration. */
  readonly fault?: string;
};
