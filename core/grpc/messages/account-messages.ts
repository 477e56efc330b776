import {
  AccountListSchema,
  AccountSchema,
  AuthenticateRequestSchema,
  AuthTokenRecordListSchema,
  AuthTokenRecordSchema,
  CallerSchema,
  CreateAccountRequestSchema,
  IssueAuthTokenRequestSchema,
  IssuedAuthTokenSchema,
  ListAccountsRequestSchema,
  ListAuthTokensRequestSchema,
  RevokeAuthTokenRequestSchema,
} from '../../../proto/gen/tollfree/core/v1/account_pb.ts';
import type { Account, AuthTokenRecord } from '../../domain/account.ts';
import type { Caller } from '../../domain/core.ts';
import type { Input, Value } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readOptionalSeconds, readSeconds, writeOptionalSeconds, writeSeconds } from './scalars.ts';

export const accountConverter = converter(
  AccountSchema,
  (account: Account) => ({ ...account, createdAt: writeSeconds(account.createdAt) }),
  ({ accountId, name, createdAt }): Account => ({ accountId, name, createdAt: readSeconds(createdAt) }),
);

export const accountListConverter = converter(
  AccountListSchema,
  (accounts: Value<'listAccounts'>) => ({ accounts: accounts.map(accountConverter.toMessage) }),
  (message): Value<'listAccounts'> => message.accounts.map(accountConverter.toDomain),
);

export const authTokenRecordConverter = converter(
  AuthTokenRecordSchema,
  (record: AuthTokenRecord) =>
    omitAbsent({
      ...record,
      createdAt: writeSeconds(record.createdAt),
      expiresAt: writeOptionalSeconds(record.expiresAt),
      revokedAt: writeOptionalSeconds(record.revokedAt),
    }),
  (message): AuthTokenRecord =>
    omitAbsent({
      authTokenId: message.authTokenId,
      name: message.name,
      createdAt: readSeconds(message.createdAt),
      expiresAt: readOptionalSeconds(message.expiresAt),
      revokedAt: readOptionalSeconds(message.revokedAt),
    }),
);

export const authTokenRecordListConverter = converter(
  AuthTokenRecordListSchema,
  (records: Value<'listAuthTokens'>) => ({ records: records.map(authTokenRecordConverter.toMessage) }),
  (message): Value<'listAuthTokens'> => message.records.map(authTokenRecordConverter.toDomain),
);

export const issuedAuthTokenConverter = converter(
  IssuedAuthTokenSchema,
  ({ authToken, record }: Value<'issueAuthToken'>) => ({
    authToken,
    record: authTokenRecordConverter.toMessage(record),
  }),
  ({ authToken, record }): Value<'issueAuthToken'> => {
    if (record === undefined) throw new TypeError('an issued authToken came without its record');
    return { authToken, record: authTokenRecordConverter.toDomain(record) };
  },
);

export const callerConverter = converter(
  CallerSchema,
  (caller: Caller) => caller,
  ({ accountId, paymasterId }): Caller => omitAbsent({ accountId, paymasterId }),
);

export const createAccountInput = converter(
  CreateAccountRequestSchema,
  (input: Input<'createAccount'>) => input,
  ({ name }): Input<'createAccount'> => ({ name }),
);

export const listAccountsInput = converter(
  ListAccountsRequestSchema,
  (_: undefined) => ({}),
  () => undefined,
);

export const issueAuthTokenInput = converter(
  IssueAuthTokenRequestSchema,
  (input: Input<'issueAuthToken'>) => omitAbsent({ ...input, expiresAt: writeOptionalSeconds(input.expiresAt) }),
  ({ accountId, name, expiresAt }): Input<'issueAuthToken'> =>
    omitAbsent({ accountId, name, expiresAt: readOptionalSeconds(expiresAt) }),
);

export const listAuthTokensInput = converter(
  ListAuthTokensRequestSchema,
  (input: Input<'listAuthTokens'>) => input,
  ({ accountId }): Input<'listAuthTokens'> => ({ accountId }),
);

export const revokeAuthTokenInput = converter(
  RevokeAuthTokenRequestSchema,
  (input: Input<'revokeAuthToken'>) => input,
  ({ accountId, authTokenId }): Input<'revokeAuthToken'> => ({ accountId, authTokenId }),
);

export const authenticateInput = converter(
  AuthenticateRequestSchema,
  (input: Input<'authenticate'>) => input,
  ({ authToken, apiKey }): Input<'authenticate'> => omitAbsent({ authToken, apiKey }),
);
