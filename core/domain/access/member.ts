import { z } from 'zod';
import { address, chainId, fieldsOf, message, seconds, text } from '../../base/message-schema.ts';
import { roles } from './role.ts';

/** A wallet that signs in to an account. Times are Unix seconds. */
export const MemberSchema = message('Member', {
  wallet: address,
  /**
   * The chain of a contract wallet (ERC-1271). Absent for a wallet with a private key. The same address on another
   * chain may belong to someone else, so a contract wallet is a member on this chain only.
   */
  chainId: chainId.exactOptional(),
  role: z.enum(roles),
  addedAt: seconds,
  /** Time of its first sign-in, in Unix seconds. Absent: it was invited and has not signed in yet. */
  joinedAt: seconds.exactOptional(),
});
export type Member = z.output<typeof MemberSchema>;

/** An account, as shown to a wallet that is a member of it. */
export const MembershipSchema = message('Membership', {
  accountId: text,
  name: text,
  ...fieldsOf(MemberSchema, 'role', 'addedAt', 'joinedAt'),
});
export type Membership = z.output<typeof MembershipSchema>;
