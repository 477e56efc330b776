import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { RoleSchema } from '../access/role.ts';
import { ScopesSchema } from '../access/scope.ts';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import { afterType } from '../fields/after-type.ts';
import { AccountHeadersSchema } from '../headers.ts';
import { maxIdLength, maxSignatureLength, maxSignInMessageLength } from '../limits.ts';
import { needs, openToEverybody, withAuthToken } from '../route-metadata.ts';
import { requestBody, textField } from '../text-field.ts';

/** Who gets an account by signing in with a wallet: everyone, invited wallets, or no new wallets. */
export const signUpModes = ['open', 'invited', 'closed'] as const;

const signUp = z
  .enum(signUpModes)
  .describe('Who gets an account on first sign-in: `open` everyone, `invited` invited wallets, `closed` no one.');

export const SignInNonceSchema = z.object({
  nonce: z.string().describe('Part of the message to sign. Works for one sign-in.'),
  issuedAt: z.int().describe('Current time of the service in Unix seconds, for `Issued At` of the message.'),
  expiresAt: z.int().describe('Unix seconds.'),
  domain: z.string().describe('The domain that the message must be for.'),
  uri: z.string().describe('The URI that the message must be for, or a URI below it.'),
  signUp,
});
export type SignInNonce = z.infer<typeof SignInNonceSchema>;

export const WalletSignInSchema = requestBody({
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

export const AuthTokenSignInSchema = requestBody({
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
  name: z.string().describe('Id of the account.'),
  wallet: z.string().optional().describe('The wallet that signed in, or else the account’s own wallet if it has one.'),
  chainId: z
    .int()
    .optional()
    .describe('The chain of the contract wallet that signed in. Absent for a wallet with a private key.'),
  role: RoleSchema.optional().describe(
    'Role of the wallet that signed in. Absent if an authToken bounds the permissions.',
  ),
  authTokenId: z
    .string()
    .optional()
    .describe('The authToken that started the session, or that the call used. Absent after a sign-in with a wallet.'),
  expiresAt: z
    .int()
    .optional()
    .describe('Unix seconds. An unused session ends sooner. Absent for an authToken that does not expire.'),
  signUp,
  scopes: ScopesSchema,
});
export type Session = z.infer<typeof SessionSchema>;

export const MembershipSchema = z.object({
  accountId: z.string(),
  name: z.string().describe('Id of the account.'),
  role: RoleSchema,
  addedAt: z.int().describe('Unix seconds.'),
  joinedAt: z.int().optional().describe('Unix seconds of the wallet’s first sign-in there. Absent: not yet.'),
});
export type MembershipItem = z.infer<typeof MembershipSchema>;

export const SwitchAccountRequestSchema = requestBody({
  accountId: textField('accountId', maxIdLength).describe('An account that the wallet of the session is a member of.'),
});
export type SwitchAccountRequest = z.infer<typeof SwitchAccountRequestSchema>;

export const SignUpSchema = z.object({ signUp });
export type SignUp = z.infer<typeof SignUpSchema>;

export const OpenSessionSchema = z.object({
  sessionId: z.string().describe('Identifies the session without revealing its secret.'),
  createdAt: z.int().describe('Unix seconds.'),
  lastUsedAt: z.int().describe('Unix seconds, rounded to the minute.'),
  expiresAt: z.int().describe('Unix seconds. An unused session ends sooner.'),
  authTokenId: z
    .string()
    .optional()
    .describe('The authToken that started the session. Absent after a sign-in with a wallet.'),
  authTokenName: z.string().optional().describe('Name of the authToken.'),
  wallet: z.string().optional().describe('The wallet that signed in. Absent if an authToken was used.'),
  isCurrent: z.boolean().describe('Whether this is the current session.'),
});
export type OpenSession = z.infer<typeof OpenSessionSchema>;

export const SessionParamsSchema = z.object({ sessionId: textField('sessionId', maxIdLength) });

const contract = initContract();

/** Signing in from a browser. The session itself is a cookie that no script can read, and never in an answer's body. */
export const sessionRouter = contract.router({
  readSignUp: {
    method: 'GET',
    path: '/session/sign-up',
    summary: 'Read who gets an account on first sign-in',
    metadata: openToEverybody('none', managementErrors.signInNotSetUp),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Sign-up mode fetched', SignUpSchema),
    },
  },
  createNonce: {
    method: 'POST',
    path: '/session/nonce',
    summary: 'Get a nonce for a sign-in message',
    body: contract.noBody(),
    metadata: openToEverybody('none', managementErrors.signInNotSetUp),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Nonce created', SignInNonceSchema),
    },
  },
  create: {
    method: 'POST',
    path: '/session',
    summary: 'Sign in with a wallet or an authToken and get a session cookie',
    body: SignInRequestSchema,
    metadata: openToEverybody(
      'management',
      managementErrors.signInMessageNotValid,
      managementErrors.contractWalletNotSupported,
      managementErrors.signInForElsewhere,
      managementErrors.signInExpired,
      managementErrors.signInNonceNotAccepted,
      managementErrors.signInSignatureNotAccepted,
      managementErrors.authTokenNotAccepted,
      managementErrors.sessionFromElsewhere,
      managementErrors.signUpClosed,
      managementErrors.notAMember,
      managementErrors.accountSuspended,
      managementErrors.signInNotSetUp,
      managementErrors.tooManySignUps,
    ),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelopeWith('Signed in', SessionSchema) },
  },
  read: {
    method: 'GET',
    path: '/session',
    summary: 'Read the current session',
    headers: AccountHeadersSchema,
    metadata: needs([], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Session fetched', SessionSchema) },
  },
  delete: {
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    headers: AccountHeadersSchema,
    body: contract.noBody(),
    metadata: needs([], withAuthToken('none', managementErrors.sessionNotFound)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelope('Signed out') },
  },
  listAccounts: {
    method: 'GET',
    path: '/session/accounts',
    summary: 'List the accounts of the session’s wallet; empty for an authToken',
    headers: AccountHeadersSchema,
    metadata: needs([], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Account list fetched', z.array(MembershipSchema)) },
  },
  switchAccount: {
    method: 'PUT',
    path: '/session/account',
    summary: 'Switch to another account of the session’s wallet, with a new cookie',
    headers: AccountHeadersSchema,
    body: SwitchAccountRequestSchema,
    metadata: needs(
      [],
      withAuthToken(
        'management',
        managementErrors.sessionNotFound,
        managementErrors.notAMember,
        managementErrors.accountSuspended,
      ),
    ),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Account switched', SessionSchema),
    },
  },
  leaveAccount: {
    method: 'DELETE',
    path: '/session/account',
    summary: 'Leave the account: end the wallet’s membership and the session',
    headers: AccountHeadersSchema,
    body: contract.noBody(),
    metadata: needs([], withAuthToken('none', managementErrors.sessionNotFound, managementErrors.lastOwner)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelope('Account left') },
  },
  list: {
    method: 'GET',
    path: '/sessions',
    summary: 'List the account’s active sessions',
    headers: AccountHeadersSchema,
    metadata: needs(['read'], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Session list fetched', z.array(OpenSessionSchema)) },
  },
  revoke: {
    method: 'DELETE',
    path: '/sessions/:sessionId',
    summary: 'End one of the account’s sessions',
    headers: AccountHeadersSchema,
    pathParams: SessionParamsSchema,
    body: contract.noBody(),
    metadata: needs(['manage'], withAuthToken('none', managementErrors.sessionNotFound)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelope('Session ended') },
  },
  revokeAll: {
    method: 'DELETE',
    path: '/sessions',
    summary:
      'Sign out everywhere: end all sessions of the calling wallet. With the scope `manage`, also end sessions with equal or fewer permissions',
    headers: AccountHeadersSchema,
    body: contract.noBody(),
    metadata: needs([], withAuthToken('none', managementErrors.scopeManageMissing)),
    responses: { ...commonErrorResponses, 200: envelope('Signed out everywhere') },
  },
});
