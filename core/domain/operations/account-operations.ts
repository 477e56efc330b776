import type { AuditLogFilter, AuditLogPage } from '../access/audit-log.ts';
import type { Caller } from '../access/caller.ts';
import type { Account, AuthTokenRecord } from '../account.ts';
import type { Result } from '../result/result.ts';

/** What belongs to accounts: themselves, who may sign in for them, their authTokens, what was changed at them. */
export type AccountOperations = {
  createAccount(input: { name: string }): Promise<Result<Account>>;
  /** All, the oldest first; with `newest` that many, the newest first. */
  listAccounts(input: { newest?: number }): Promise<Result<readonly Account[]>>;
  /**
   * An account that the holder of the wallet owns by signing in, also before anybody does. `WALLET_TAKEN` where it
   * has one of its own; the operator's alone.
   */
  inviteAccount(input: { wallet: string; name?: string }): Promise<Result<Account>>;
  /**
   * Makes a wallet an owner of an account and the account its own, instead of the one before, whose membership ends
   * with its sessions and authTokens. Other members stay. `WALLET_TAKEN` where another account is its own; the
   * operator's alone.
   */
  linkWallet(input: { accountId: string; wallet: string }): Promise<Result<Account>>;
  /**
   * Closes an account's management to its holder, sessions included, or opens it again. What its paymasters sponsor
   * does not change. The operator's alone.
   */
  suspendAccount(input: { accountId: string; suspended: boolean }): Promise<Result<Account>>;
  /**
   * `expiresAt` in Unix seconds. The token is in this answer and never again. Anyone who asks with an authToken, or a
   * session that began with one, can give no scope that it lacks (`SCOPE_MISSING`) and no later end; what is not given
   * is as it has it.
   */
  createAuthToken(input: {
    accountId: string;
    name: string;
    expiresAt?: number;
    scopes?: readonly string[];
  }): Promise<Result<{ authToken: string; record: AuthTokenRecord }>>;
  listAuthTokens(input: { accountId: string }): Promise<Result<readonly AuthTokenRecord[]>>;
  /** `SCOPE_MISSING` where it has a scope that the caller lacks. */
  revokeAuthToken(input: { accountId: string; authTokenId: string }): Promise<Result<AuthTokenRecord>>;
  /** Changes that were made at the account, the newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listAuditLog(input: {
    accountId: string;
    filter: AuditLogFilter;
    cursor?: string;
    limit?: number;
  }): Promise<Result<AuditLogPage>>;
  /**
   * Accepts an authToken and, where given, an apiKey of the same account. `UNAUTHENTICATED` when the token is not
   * accepted, `API_KEY_NOT_ACCEPTED` when the token is and the apiKey is not.
   */
  authenticate(input: { authToken: string; apiKey?: string }): Promise<Result<Caller>>;
};
