import { z } from 'zod';
import { RoleSchema } from '../access/role.ts';
import { ScopesSchema } from '../access/scope.ts';
import { managementErrors } from '../errors.ts';
import { exactly } from '../fields/exactly.ts';
import { afterType } from '../fields/form.ts';
import { address, chainId, seconds } from '../fields/forms.ts';
import { maxIdLength, maxSignatureLength, maxSignInMessageLength } from '../limits.ts';
import { manageOperation, operation, readOperation } from '../operation.ts';
import { textField } from '../text-field.ts';

/** Who gets an account by signing in with a wallet: everyone, invited wallets, or no new wallets. */
export const signUpModes = ['open', 'invited', 'closed'] as const;

const signUp = z
  .enum(signUpModes)
  .describe('Who gets an account on first sign-in: `open` everyone, `invited` invited wallets, `closed` no one.');

export const SignInNonceSchema = z.object({
  nonce: z.string().describe('Part of the message to sign. Works for one sign-in.'),
  issuedAt: seconds.describe('Current time of the service in Unix seconds, for `Issued At` of the message.'),
  expiresAt: seconds,
  domain: z.string().describe('The domain that the message must be for.'),
  uri: z.string().describe('The URI that the message must be for, or a URI below it.'),
  signUp,
});
export type SignInNonce = z.infer<typeof SignInNonceSchema>;

export const WalletSignInSchema = exactly({
  message: textField('message', maxSignInMessageLength).describe(
    'A Sign in with Ethereum message (EIP-4361) with a nonce of `POST /session/nonce`.',
  ),
  signature: textField('signature', maxSignatureLength)
    .check(afterType(z.minLength(1, { error: 'signature must be a string' })))
    .describe(
      'The wallet’s signature of the message, in hex: 65 bytes from a private key (EIP-191), or what a contract wallet accepts on the chain in the message (ERC-1271, ERC-6492).',
    ),
  accountId: textField('accountId', maxIdLength)
    .optional()
    .describe(
      'An account that the wallet is a member of. Absent, the first that exists: its own account; one it has joined; a new one if sign-up is open; the oldest that invites it.',
    ),
});
export type WalletSignIn = z.infer<typeof WalletSignInSchema>;

export const AuthTokenSignInSchema = exactly({
  authToken: textField('authToken', maxIdLength).describe('An authToken of the account. The session ends with it.'),
});
export type AuthTokenSignIn = z.infer<typeof AuthTokenSignInSchema>;

/** The first problem of a body, for the variant that it most resembles. */
function problemOf(input: unknown): string {
  const isToken = typeof input === 'object' && input !== null && 'authToken' in input;
  const parsed = (isToken ? AuthTokenSignInSchema : WalletSignInSchema).safeParse(input);
  return parsed.error?.issues[0]?.message ?? 'Request body must be a JSON object';
}

export const SignInRequestSchema = z.union([AuthTokenSignInSchema, WalletSignInSchema], {
  error: ({ input }) => problemOf(input),
});
export type SignInRequest = z.infer<typeof SignInRequestSchema>;

export const SessionSchema = z.object({
  accountId: z.string(),
  name: z.string().describe('Name of the account.'),
  wallet: address.optional().describe('The wallet that signed in, or else the account’s own wallet if it has one.'),
  chainId: chainId
    .optional()
    .describe('The chain of the contract wallet that signed in. Absent for a wallet with a private key.'),
  role: RoleSchema.optional().describe(
    'Role of the wallet that signed in. Absent if an authToken bounds the permissions.',
  ),
  authTokenId: z
    .string()
    .optional()
    .describe('The authToken that started the session, or that the call used. Absent after a sign-in with a wallet.'),
  expiresAt: seconds
    .optional()
    .describe('Unix seconds. An unused session ends sooner. Absent for an authToken that does not expire.'),
  signUp,
  scopes: ScopesSchema,
  operator: z.literal(true).optional().describe('True: may read the operator’s view of the service.'),
});
export type Session = z.infer<typeof SessionSchema>;

export const MembershipSchema = z.object({
  accountId: z.string(),
  name: z.string().describe('Name of the account.'),
  role: RoleSchema,
  addedAt: seconds,
  joinedAt: seconds.optional().describe('Unix seconds of the wallet’s first sign-in there. Absent: not yet.'),
});
export type MembershipItem = z.infer<typeof MembershipSchema>;

export const SwitchAccountRequestSchema = exactly({
  accountId: textField('accountId', maxIdLength).describe('An account that the wallet of the session is a member of.'),
});
export type SwitchAccountRequest = z.infer<typeof SwitchAccountRequestSchema>;

export const SignUpSchema = z.object({ signUp });
export type SignUp = z.infer<typeof SignUpSchema>;

export const OpenSessionSchema = z.object({
  sessionId: z.string().describe('Identifies the session without revealing its secret.'),
  createdAt: seconds,
  lastUsedAt: seconds.describe('Unix seconds, rounded to the minute.'),
  expiresAt: seconds.describe('Unix seconds. An unused session ends sooner.'),
  authTokenId: z
    .string()
    .optional()
    .describe('The authToken that started the session. Absent after a sign-in with a wallet.'),
  authTokenName: z.string().optional().describe('Name of the authToken.'),
  wallet: address.optional().describe('The wallet that signed in. Absent if an authToken was used.'),
  isCurrent: z.boolean().describe('Whether this is the current session.'),
});
export type OpenSession = z.infer<typeof OpenSessionSchema>;

export const SessionParamsSchema = z.object({ sessionId: textField('sessionId', maxIdLength) });

const { sessionNotFound, signInNotSetUp, notAMember, accountSuspended } = managementErrors;

/**
 * Signing in from a browser. The session itself is a cookie that scripts cannot read, and never part of an answer's body.
 */
export const sessionOperations = {
  /** Who gets an account on first sign-in. Throws with status 404 if browsers cannot sign in to this service. */
  readSignUp: operation('readSignUp', {
    method: 'GET',
    path: '/session/sign-up',
    summary: 'Read who gets an account on first sign-in',
    credentials: 'none',
    scopes: [],
    message: 'Sign-up mode fetched',
    data: SignUpSchema,
    errors: [signInNotSetUp],
    repeatable: true,
  }),
  createNonce: operation('createSignInNonce', {
    method: 'POST',
    path: '/session/nonce',
    summary: 'Get a nonce for a sign-in message',
    credentials: 'none',
    scopes: [],
    message: 'Nonce created',
    data: SignInNonceSchema,
    errors: [signInNotSetUp],
    inBrowser: true,
    repeatable: true,
  }),
  create: operation('signIn', {
    method: 'POST',
    path: '/session',
    summary: 'Sign in with a wallet or an authToken and get a session cookie',
    credentials: 'none',
    scopes: [],
    body: SignInRequestSchema,
    message: 'Signed in',
    data: SessionSchema,
    errors: [
      managementErrors.signInMessageNotValid,
      managementErrors.contractWalletNotSupported,
      managementErrors.signInForElsewhere,
      managementErrors.signInExpired,
      managementErrors.signInNonceNotAccepted,
      managementErrors.signInSignatureNotAccepted,
      managementErrors.authTokenNotAccepted,
      managementErrors.sessionFromElsewhere,
      managementErrors.signUpClosed,
      notAMember,
      accountSuspended,
      signInNotSetUp,
      managementErrors.tooManySignUps,
    ],
    inBrowser: true,
    calls: 'signInWithWallet',
  }),
  /** The account of the client's authToken, its scopes and its expiry. */
  read: operation('readSession', {
    method: 'GET',
    path: '/session',
    summary: 'Read the current session',
    credentials: 'account',
    scopes: [],
    message: 'Session fetched',
    data: SessionSchema,
    repeatable: true,
    rpc: 'readIdentity',
  }),
  delete: operation('endSession', {
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    credentials: 'account',
    scopes: [],
    message: 'Signed out',
    errors: [sessionNotFound],
    inBrowser: true,
    repeatable: false,
    changes: 'ended session',
    author: 'anyone',
  }),
  listAccounts: operation('listMemberships', {
    method: 'GET',
    path: '/session/accounts',
    summary: 'List the accounts of the session’s wallet; empty for an authToken',
    credentials: 'account',
    scopes: [],
    message: 'Account list fetched',
    data: z.array(MembershipSchema),
    inBrowser: true,
    repeatable: true,
  }),
  switchAccount: operation('switchAccount', {
    method: 'PUT',
    path: '/session/account',
    summary: 'Switch to another account of the session’s wallet, with a new cookie',
    credentials: 'account',
    scopes: [],
    body: SwitchAccountRequestSchema,
    message: 'Account switched',
    data: SessionSchema,
    errors: [sessionNotFound, notAMember, accountSuspended],
    inBrowser: true,
    repeatable: false,
    changes: 'switched session',
    author: 'anyone',
  }),
  leaveAccount: operation('leaveAccount', {
    method: 'DELETE',
    path: '/session/account',
    summary: 'Leave the account: end the wallet’s membership and the session',
    credentials: 'account',
    scopes: [],
    message: 'Account left',
    errors: [sessionNotFound, managementErrors.lastOwner],
    inBrowser: true,
    calls: 'removeMember',
  }),
  /** The account's active sessions of browsers, newest first. */
  list: readOperation('listSessions', {
    path: '/sessions',
    summary: 'List the account’s active sessions',
    credentials: 'account',
    message: 'Session list fetched',
    data: z.array(OpenSessionSchema),
  }),
  /** Ends a session immediately. Throws with status 404 if the account has no such session. */
  revoke: manageOperation('revokeSession', {
    method: 'DELETE',
    path: '/sessions/:sessionId',
    summary: 'End one of the account’s sessions',
    credentials: 'account',
    pathParams: SessionParamsSchema,
    message: 'Session ended',
    errors: [sessionNotFound],
    repeatable: false,
    changes: 'sessions',
  }),
  /** Signs out every browser that is signed in to the account. AuthTokens stay. */
  revokeAll: operation('revokeAllSessions', {
    method: 'DELETE',
    path: '/sessions',
    summary:
      'Sign out everywhere: end all sessions of the calling wallet. With the scope `manage`, also end sessions with equal or fewer permissions',
    credentials: 'account',
    scopes: [],
    message: 'Signed out everywhere',
    errors: [managementErrors.scopeManageMissing],
    repeatable: false,
    changes: 'sessions',
    // Members end their own sessions, whatever their role.
    author: 'any member',
  }),
} as const;
