import { flag, integer, listMessage, optionalListOf, request, seconds, text } from '../../base/message-schema.ts';
import { CallerSchema } from '../access/actor.ts';
import { AuditLogFilterSchema, AuditLogPageSchema } from '../access/audit-log.ts';
import { AccountSchema, AuthTokenRecordSchema, IssuedAuthTokenSchema } from '../account.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** What belongs to accounts: themselves, who may sign in for them, their authTokens, what was changed at them. */
export const accountOperations = {
  /** Adds an account. */
  createAccount: {
    input: request({
      /** For people. It need not be unique. */
      name: text,
    }),
    value: AccountSchema,
  },
  /** Lists all accounts, or the newest of them. */
  listAccounts: {
    input: request({
      /** So many of the newest, these first. Absent: all, the oldest first. */
      newest: integer.exactOptional(),
    }),
    value: listMessage('AccountList', 'accounts', AccountSchema),
  },
  /**
   * An account that the holder of the wallet owns by signing in, also before anybody does. `WALLET_TAKEN` where it
   * has one of its own; the operator's alone.
   */
  inviteAccount: {
    input: request({
      /** As people write an address. */
      wallet: text,
      /** For people. Absent: the wallet. */
      name: text.exactOptional(),
    }),
    value: AccountSchema,
  },
  /**
   * Makes a wallet an owner of an account and the account its own, instead of the one before, whose membership ends
   * with its sessions and authTokens. Other members stay. `WALLET_TAKEN` where another account is its own; the
   * operator's alone.
   */
  linkWallet: {
    input: request({
      accountId: text,
      /** As people write an address. */
      wallet: text,
    }),
    value: AccountSchema,
  },
  /**
   * Closes an account's management to its holder, sessions included, or opens it again. What its paymasters sponsor
   * does not change. The operator's alone.
   */
  suspendAccount: {
    input: request({
      accountId: text,
      /** False opens it again. */
      suspended: flag,
    }),
    value: AccountSchema,
  },
  /**
   * `expiresAt` in Unix seconds. The token is in this answer and never again. Anyone who asks with an authToken, or a
   * session that began with one, can give no scope that it lacks (`SCOPE_MISSING`) and no later end; what is not given
   * is as it has it.
   */
  createAuthToken: {
    input: request({ accountId: text, name: text, expiresAt: seconds.exactOptional(), scopes: optionalListOf(text) }),
    value: IssuedAuthTokenSchema,
  },
  /** Lists the authTokens of an account, without the tokens. */
  listAuthTokens: {
    input: request({ accountId: text }),
    value: listMessage('AuthTokenRecordList', 'records', AuthTokenRecordSchema),
  },
  /** `SCOPE_MISSING` where it has a scope that the caller lacks. */
  revokeAuthToken: { input: request({ accountId: text, authTokenId: text }), value: AuthTokenRecordSchema },
  /** Changes that were made at the account, the newest first: 1 to 200 of them (50 by default), from `cursor` on. */
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
   * Accepts an authToken and, where given, an apiKey of the same account. `UNAUTHENTICATED` when the token is not
   * accepted, `API_KEY_NOT_ACCEPTED` when the token is and the apiKey is not.
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
export type AccountOperations = OperationsOf<typeof accountOperations>;
