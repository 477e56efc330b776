import { MemberSchema as ApiMemberSchema } from '@tollfree/contract/access/member';
import { MembershipSchema as ApiMembershipSchema } from '@tollfree/contract/sign-in/session';
import type { z } from 'zod';
import { fieldsOfApi } from '../../base/fields-of-api.ts';
import { message } from '../../base/message-schema.ts';

/**
 * A wallet that signs in to an account. The same address on another chain may belong to someone else, so a contract wallet is
 * a member on one chain only. Times are Unix seconds.
 */
export const MemberSchema = message('Member', fieldsOfApi(ApiMemberSchema));
export type Member = z.output<typeof MemberSchema>;

/** An account, as shown to a wallet that is a member of it. */
export const MembershipSchema = message('Membership', fieldsOfApi(ApiMembershipSchema));
export type Membership = z.output<typeof MembershipSchema>;
