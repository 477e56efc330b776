import {
  MemberListSchema,
  MemberSchema,
  MembershipListSchema,
  MembershipSchema,
} from '../../../../proto/gen/tollfree/core/v1/member_pb.ts';
import type { Member, Membership } from '../../../domain/access/member.ts';
import { roles } from '../../../domain/access/role.ts';
import { address } from '../../codec/address.ts';
import { chainId } from '../../codec/chain-id.ts';
import { listOf } from '../../codec/list.ts';
import { messageOf } from '../../codec/message-of.ts';
import { oneOf } from '../../codec/one-of.ts';
import { seconds } from '../../codec/seconds.ts';
import { soleField } from '../../codec/sole-field.ts';

const role = oneOf(roles);

export const member = messageOf<Member>()(MemberSchema, {
  wallet: address,
  chainId,
  role,
  addedAt: seconds,
  joinedAt: seconds,
});
export const members = soleField(MemberListSchema, listOf(member));

const membership = messageOf<Membership>()(MembershipSchema, { role, addedAt: seconds, joinedAt: seconds });
export const memberships = soleField(MembershipListSchema, listOf(membership));
