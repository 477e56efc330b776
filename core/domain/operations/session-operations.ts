import { listMessage, request, text } from '../../base/message-schema.ts';
import { CallerSchema } from '../access/actor.ts';
import { IdentitySchema, NewSessionSchema, SessionRecordSchema, SignInNonceSchema, SignUpSchema } from '../sign-in.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** Signing in, and the sessions that come of it. */
export const sessionOperations = {
  /** Who gets an account by signing in. */
  readSignUp: { value: SignUpSchema },
  /** A nonce for a message to sign in with. Nothing is kept of it until it is used. */
  createSignInNonce: { value: SignInNonceSchema },
  /**
   * Begins a session with a signed EIP-4361 message for `origin` (`https://gas.example.org`), and makes the account
   * of a new wallet where that is allowed. `client` is the address that asks, so that what one makes can be bounded.
   * `accountId` names one that the wallet is a member of (else `NOT_A_MEMBER`). Without it: the wallet's own account;
   * else one it has joined; else a new one where sign-up is open, so that no one's invitation leads a stranger into the
   * inviter's account; else the oldest invitation.
   */
  signInWithWallet: {
    input: request({
      /** Sign in with Ethereum (EIP-4361). */
      message: text,
      /** Of the message (EIP-191), 65 bytes in hex. */
      signature: text,
      /** The page that asks, like `https://gas.example.org`. The message has to be for it. */
      origin: text,
      /** The address that asks. What one address creates is bounded; only a keyed digest of it is stored. */
      client: text,
      accountId: text.exactOptional(),
    }),
    value: NewSessionSchema,
  },
  /** Begins a session that ends with the authToken, `AUTH_TOKEN_NOT_ACCEPTED` without a right one. */
  signInWithAuthToken: {
    input: request({
      /** As sent by the caller, `tf_…`. */
      authToken: text,
    }),
    value: NewSessionSchema,
  },
  /** {@link AccountOperations.authenticate} with the secret of a session instead of the authToken. */
  authenticateSession: {
    input: request({
      /** As sent by the caller, `tfs_…`. */
      session: text,
      /** As sent by the caller, `<prefix>.<uuid>`. Absent if the call carries none. */
      apiKey: text.exactOptional(),
    }),
    value: CallerSchema,
  },
  /** Whose a session or an authToken is, `UNAUTHENTICATED` without a right one. One of the two is given. */
  readSession: {
    input: request({
      /** As sent by the caller, `tfs_…`. */
      session: text.exactOptional(),
      /** As sent by the caller, `tf_…`. */
      authToken: text.exactOptional(),
    }),
    value: IdentitySchema,
  },
  /** Ends a session at once, `SESSION_NOT_FOUND` where there is none. */
  endSession: {
    input: request({
      /** As sent by the caller, `tfs_…`. */
      session: text,
    }),
    value: CallerSchema,
  },
  /** The account's sessions that have not ended, the newest first. `session` is the secret of the one that asks. */
  listSessions: {
    input: request({
      accountId: text,
      /** The session that asks, `tfs_…`. Absent if it is none of them. */
      session: text.exactOptional(),
    }),
    value: listMessage('SessionRecordList', 'sessions', SessionRecordSchema),
  },
  /**
   * Ends a session of the account by its id, `SESSION_NOT_FOUND` where it has none such, `SCOPE_MISSING` where it is
   * another's and may more than the caller.
   */
  revokeSession: { input: request({ accountId: text, sessionId: text }), value: CallerSchema },
  /** Ends all sessions of the account that may no more than the caller, the caller's own included. */
  revokeAllSessions: { input: request({ accountId: text }), value: CallerSchema },
} as const satisfies CoreMethods;
export type SessionOperations = OperationsOf<typeof sessionOperations>;
