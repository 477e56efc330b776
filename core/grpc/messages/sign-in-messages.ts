import {
  IdentitySchema,
  NewSessionSchema,
  SessionRecordListSchema,
  SessionRecordSchema,
  SignInNonceSchema,
  SignUpSchema,
} from '../../../proto/gen/tollfree/core/v1/sign_in_pb.ts';
import { roles } from '../../domain/access/role.ts';
import {
  type Identity,
  type NewSession,
  type SessionRecord,
  type SignInNonce,
  type SignUpMode,
  signUpModes,
} from '../../domain/sign-in.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { required } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';
import { trueOrAbsent } from '../codec/true-or-absent.ts';
import { scopeList } from './account-messages.ts';

const signUp = oneOf(signUpModes);

export const signUpMode = messageOf<{ signUp: SignUpMode }>()(SignUpSchema, { signUp });

export const signInNonce = messageOf<SignInNonce>()(SignInNonceSchema, {
  issuedAt: seconds,
  expiresAt: seconds,
  signUp,
});

export const identity = messageOf<Identity>()(IdentitySchema, {
  wallet: address,
  chainId,
  expiresAt: seconds,
  signUp,
  scopes: scopeList,
  role: oneOf(roles),
  operator: trueOrAbsent,
});

export const newSession = messageOf<NewSession>()(NewSessionSchema, { identity: required(identity) });

const sessionRecord = messageOf<SessionRecord>()(SessionRecordSchema, {
  createdAt: seconds,
  lastUsedAt: seconds,
  expiresAt: seconds,
  wallet: address,
});
export const sessionRecords = soleField(SessionRecordListSchema, listOf(sessionRecord));
