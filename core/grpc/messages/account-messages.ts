import {
  AccountListSchema,
  AccountSchema,
  AuthTokenRecordListSchema,
  AuthTokenRecordSchema,
  CallerSchema,
  IssuedAuthTokenSchema,
} from '../../../proto/gen/tollfree/core/v1/account_pb.ts';
import { StringListSchema } from '../../../proto/gen/tollfree/core/v1/string_list_pb.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { type Scope, scopes } from '../../domain/access/scope.ts';
import type { Account, AuthTokenRecord } from '../../domain/account.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { required } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';
import { trueOrAbsent } from '../codec/true-or-absent.ts';

/** What an authToken or a session may. */
export const scopeList = listOf<Scope, string>(oneOf(scopes));

export const account = messageOf<Account>()(AccountSchema, {
  createdAt: seconds,
  wallet: address,
  invited: trueOrAbsent,
  suspendedAt: seconds,
});
export const accounts = soleField(AccountListSchema, listOf(account));

export const authTokenRecord = messageOf<AuthTokenRecord>()(AuthTokenRecordSchema, {
  createdAt: seconds,
  expiresAt: seconds,
  revokedAt: seconds,
  lastUsedAt: seconds,
  scopes: scopeList,
  madeBy: address,
});
export const authTokenRecords = soleField(AuthTokenRecordListSchema, listOf(authTokenRecord));

type IssuedAuthToken = { readonly authToken: string; readonly record: AuthTokenRecord };
export const issuedAuthToken = messageOf<IssuedAuthToken>()(IssuedAuthTokenSchema, {
  record: required(authTokenRecord),
});

export const caller = messageOf<Caller>()(CallerSchema, {
  wallet: address,
  chainId,
  scopes: soleField(StringListSchema, scopeList),
  operator: trueOrAbsent,
});
