import type { Caller } from '../access/caller.ts';
import type { Result } from '../result/result.ts';
import type { Identity, NewSession, SessionRecord, SignInNonce, SignUpMode } from '../sign-in.ts';
import type { AccountOperations } from './account-operations.ts';

/** Signing in, and the sessions that come of it. */
export type SessionOperations = {
  /** Who gets an account by signing in. */
  readSignUp(): Promise<Result<{ signUp: SignUpMode }>>;
  /** A nonce for a message to sign in with. Nothing is kept of it until it is used. */
  createSignInNonce(): Promise<Result<SignInNonce>>;
  /**
   * Begins a session with a signed EIP-4361 message for `origin` (`https://gas.example.org`), and makes the account
   * of a new wallet where that is allowed. `client` is the address that asks, so that what one makes can be bounded.
   * `accountId` names one that the wallet is a member of (else `NOT_A_MEMBER`). Without it: the wallet's own account;
   * else one it has joined; else a new one where sign-up is open, so that no one's invitation leads a stranger into the
   * inviter's account; else the oldest invitation.
   */
  signInWithWallet(input: {
    message: string;
    signature: string;
    origin: string;
    client: string;
    accountId?: string;
  }): Promise<Result<NewSession>>;
  /** Begins a session that ends with the authToken, `AUTH_TOKEN_NOT_ACCEPTED` without a right one. */
  signInWithAuthToken(input: { authToken: string }): Promise<Result<NewSession>>;
  /** {@link AccountOperations.authenticate} with the secret of a session instead of the authToken. */
  authenticateSession(input: { session: string; apiKey?: string }): Promise<Result<Caller>>;
  /** Whose a session or an authToken is, `UNAUTHENTICATED` without a right one. One of the two is given. */
  readSession(input: { session?: string; authToken?: string }): Promise<Result<Identity>>;
  /** Ends a session at once, `SESSION_NOT_FOUND` where there is none. */
  endSession(input: { session: string }): Promise<Result<Caller>>;
  /** The account's sessions that have not ended, the newest first. `session` is the secret of the one that asks. */
  listSessions(input: { accountId: string; session?: string }): Promise<Result<readonly SessionRecord[]>>;
  /**
   * Ends a session of the account by its id, `SESSION_NOT_FOUND` where it has none such, `SCOPE_MISSING` where it is
   * another's and may more than the caller.
   */
  revokeSession(input: { accountId: string; sessionId: string }): Promise<Result<Caller>>;
  /** Ends all sessions of the account that may no more than the caller, the caller's own included. */
  revokeAllSessions(input: { accountId: string }): Promise<Result<Caller>>;
};
