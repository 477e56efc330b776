import type { Address, Hex } from 'viem';
import type { Result } from '../result/result.ts';

/** A signature that a contract may have to judge. `message` is the text that was signed, without EIP-191's prefix. */
export type ContractWalletQuestion = {
  readonly chainId: number;
  readonly wallet: Address;
  readonly message: string;
  readonly signature: Hex;
};

/**
 * Whether the contract at `wallet` accepts a signature of `message` (ERC-1271; ERC-6492 for a wallet that is not deployed yet).
 * Undefined for a chain that is not served, `CHAIN_UNAVAILABLE` if its nodes do not answer.
 */
export type AskContractWallet = (question: ContractWalletQuestion) => Promise<Result<boolean | undefined>>;
