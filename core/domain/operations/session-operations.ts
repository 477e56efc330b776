import { sessionOperations as api } from '@tollfree/contract/sign-in/session';
import { listMessage, request, text } from '../../base/message-schema.ts';
import { CallerSchema } from '../access/actor.ts';
import { IdentitySchema, NewSessionSchema, SessionRecordSchema, SignInNonceSchema, SignUpSchema } from '../sign-in.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** Signing in, and sessions. */
export const sessionOperations = {
  /** Who gets an account by signing in. */
  readSignUp: { value: SignUpSchema },
  /** A nonce for a sign-in message. Nothing is stored until it is used. */
  createSignInNonce: { value: SignInNonceSchema },
  /**
   * Starts a session with a signed EIP-4361 message for `origin` (`https://gas.example.org`), and creates the account of a
   * new wallet if allowed. `client` is the requesting address, whose number of new accounts is bounded. `accountId` selects
   * an account of which the wallet is a member (else `NOT_A_MEMBER`). Without it: the wallet's own account; else one it has
   * joined; else a new one if sign-up is open, so that an invitation does not lead a stranger into the inviter's account;
   * else the oldest invitation.
   */
  signInWithWallet: {
    input: request({
      /** Sign in with Ethereum (EIP-4361). */
      message: text,
      /** For the message (EIP-191), 65 bytes in hex. */
      signature: text,
      /** The requesting page, like `https://gas.example.org`. The message must be for it. */
      origin: text,
      /** The requesting address. The accounts that one address creates are bounded; only a keyed digest of it is stored. */
      client: text,
      accountId: text.exactOptional(),
    }),
    value: NewSessionSchema,
  },
  /** Starts a session that ends with the authToken. `AUTH_TOKEN_NOT_ACCEPTED` if the authToken is not valid. */
  signInWithAuthToken: {
    input: request({
      /** As sent by the caller, `tf_…`. */
      authToken: text,
    }),
    value: NewSessionSchema,
  },
  /** `authenticate` with the secret of a session instead of the authToken. */
  authenticateSession: {
    input: request({
      /** As sent by the caller, `tfs_…`. */
      session: text,
      /** As sent by the caller, `<prefix>.<uuid>`. Absent if the call carries none. */
      apiKey: text.exactOptional(),
    }),
    value: CallerSchema,
  },
  /** The identity of a session or an authToken. Exactly one of the two is given. `UNAUTHENTICATED` if it is not valid. */
  readSession: {
    input: request({
      /** As sent by the caller, `tfs_…`. */
      session: text.exactOptional(),
      /** As sent by the caller, `tf_…`. */
      authToken: text.exactOptional(),
    }),
    value: IdentitySchema,
  },
  /** Ends a session at once. `SESSION_NOT_FOUND` if it does not exist. */
  endSession: {
    input: request({
      /** As sent by the caller, `tfs_…`. */
      session: text,
    }),
    value: CallerSchema,
  },
  /** The account's active sessions, newest first. `session` is the secret of the requesting one. */
  listSessions: {
    input: request({
      accountId: text,
      /** The requesting session, `tfs_…`. Absent if the caller uses none of them. */
      session: text.exactOptional(),
    }),
    value: listMessage('SessionRecordList', 'sessions', SessionRecordSchema),
  },
  /**
   * Ends a session of the account by its id. `SESSION_NOT_FOUND` if the account has no such session, `SCOPE_MISSING` if it
   * belongs to someone else and may do more than the caller.
   */
  revokeSession: { input: inputOf(api.revoke), value: CallerSchema },
  /** Ends all sessions of the account that may not do more than the caller, including the caller's own. */
  revokeAllSessions: { input: inputOf(api.revokeAll), value: CallerSchema },
} as const satisfies CoreMethods;
