import type { Address } from 'viem';
import type { Role } from './role.ts';

/** A wallet that signs in to an account. Times are Unix seconds. */
export type Member = {
  readonly wallet: Address;
  /**
   * The chain of a contract wallet (ERC-1271). Absent for a wallet with a private key. The same address on another chain may
   * belong to someone else, so a contract wallet is a member on this chain only.
   */
  readonly chainId?: number;
  readonly role: Role;
  readonly addedAt: number;
  /** Of its first sign-in. Absent: it was invited and has not come yet. */
  readonly joinedAt?: number;
};

/** An account, as a wallet sees it that is a member. */
export type Membership = Omit<Member, 'wallet' | 'chainId'> & {
  readonly accountId: string;
  readonly name: string;
};
