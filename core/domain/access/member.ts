import type { Address } from 'viem';
import type { Role } from './role.ts';

/** A wallet that signs in to an account. Times are Unix seconds. */
export type Member = {
  readonly wallet: Address;
  readonly role: Role;
  readonly addedAt: number;
  /** Of its first sign-in. Absent: it was invited and has not come yet. */
  readonly joinedAt?: number;
};

/** An account, as a wallet sees it that is a member. */
export type Membership = Omit<Member, 'wallet'> & {
  readonly accountId: string;
  readonly name: string;
};
