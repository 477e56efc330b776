import { authTokenOperations as authTokens } from '@tollfree/contract/sign-in/auth-token';
import { flag, integer, listMessage, optionalListOf, request, seconds, text } from '../../base/message-schema.ts';
import { CallerSchema } from '../access/actor.ts';
import { AuditLogFilterSchema, AuditLogPageSchema } from '../access/audit-log.ts';
import { AccountSchema, AuthTokenRecordSchema, IssuedAuthTokenSchema } from '../sign-in.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** Accounts: their members, authTokens and audit log. */
export const accountOperations = {
  /** Adds an account. */
  createAccount: {
    input: request({
      /** Display name. It need not be unique. */
      name: text,
    }),
    value: AccountSchema,
  },
  /** Lists all accounts, or the newest ones. */
  listAccounts: {
    input: request({
      /** How many of the newest to list, newest first. Absent: all, oldest first. */
      newest: integer.exactOptional(),
    }),
    value: listMessage('AccountList', 'accounts', AccountSchema),
  },
  /**
   * Creates an account that the holder of the wallet will own after signing in. `WALLET_TAKEN` if the wallet has an account
   * of its own; operator only.
   */
  inviteAccount: {
    input: request({
      /** An address in any common spelling. */
      wallet: text,
      /** Display name. Absent: the wallet. */
      name: text.exactOptional(),
    }),
    value: AccountSchema,
  },
  /**
   * Makes a wallet an owner of an account and the account its own. It replaces the previous wallet, whose membership ends
   * with its sessions and authTokens. Other members stay. `WALLET_TAKEN` if it has another account of its own; operator
   * only.
   */
  linkWallet: {
    input: request({
      accountId: text,
      /** An address in any common spelling. */
      wallet: text,
    }),
    value: AccountSchema,
  },
  /**
   * Closes an account's management to its holder, including sessions, or reopens it. What its paymasters sponsor does not
   * change. Operator only.
   */
  suspendAccount: {
    input: request({
      accountId: text,
      /** False reopens it. */
      suspended: flag,
    }),
    value: AccountSchema,
  },
  /**
   * `expiresAt` in Unix seconds. Only this answer contains the token. A caller with an authToken, or with a session that
   * began with one, cannot grant a scope that it lacks (`SCOPE_MISSING`) or a later expiry; values that are not given
   * default to its own.
   */
  createAuthToken: {
    input: request({ accountId: text, name: text, expiresAt: seconds.exactOptional(), scopes: optionalListOf(text) }),
    value: IssuedAuthTokenSchema,
  },
  /** Lists the authTokens of an account, without the tokens. */
  listAuthTokens: {
    input: inputOf(authTokens.list),
    value: listMessage('AuthTokenRecordList', 'records', AuthTokenRecordSchema),
  },
  /** `SCOPE_MISSING` if it has a scope that the caller lacks. */
  revokeAuthToken: { input: inputOf(authTokens.delete), value: AuthTokenRecordSchema },
  /** Changes made in the account, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listAuditLog: {
    input: request({
      accountId: text,
      filter: AuditLogFilterSchema.default({}),
      cursor: text.exactOptional(),
      limit: integer.exactOptional(),
    }),
    value: AuditLogPageSchema,
  },
  /**
   * Accepts an authToken and, if given, an apiKey of the same account. `UNAUTHENTICATED` when the token is not accepted,
   * `API_KEY_NOT_ACCEPTED` when the token is and the apiKey is not.
   */
  authenticate: {
    input: request({
      /** As sent by the caller, `tf_…`. */
      authToken: text,
      /** As sent by the caller, `<prefix>.<uuid>`. Absent if the call carries none. */
      apiKey: text.exactOptional(),
    }),
    value: CallerSchema,
  },
} as const satisfies CoreMethods;
