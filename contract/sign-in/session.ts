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

/** Who gets an account by signing in with a wallet: everybody, those who were invited, or nobody new. */
export const signUpModes = ['open', 'invited', 'closed'] as const;

const signUp = z
  .enum(signUpModes)
  .describe(
    'Who gets an account by a first sign-in: `open` everybody, `invited` wallets that were invited, `closed` nobody.',
  );

export const SignInNonceSchema = z.object({
  nonce: z.string().describe('Goes into the message; good for one sign-in.'),
  issuedAt: z.int().describe('Unix seconds by the service’s clock: for `Issued At` of the message.'),
  expiresAt: z.int().describe('Unix seconds.'),
  domain: z.string().describe('The domain that the message has to be for.'),
  uri: z.string().describe('The URI that the message has to be for, or one below it.'),
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
      'The wallet’s signature of it (EIP-191), in hex: 65 bytes of a private key, or what a contract wallet accepts on the chain of the message (ERC-1271, ERC-6492).',
    ),
  accountId: textField('accountId', maxIdLength)
    .optional()
    .describe(
      'An account that the wallet is a member of. Absent: its own; else one that it has joined; else a new one where sign-up is open; else the oldest that invites it.',
    ),
});
export type WalletSignIn = z.infer<typeof WalletSignInSchema>;

export const AuthTokenSignInSchema = requestBody({
  authToken: textField('authToken', maxIdLength).describe('An authToken of the account; the session ends with it.'),
});
export type AuthTokenSignIn = z.infer<typeof AuthTokenSignInSchema>;

/** The first thing that is wrong with a body in the form that it seems to be meant in. */
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
  name: z.string().describe('Of the account.'),
  wallet: z.string().optional().describe('The wallet that signed in, or else the account’s own, where it has one.'),
  chainId: z
    .int()
    .optional()
    .describe('The chain of the contract wallet that signed in. Absent for a wallet with a private key.'),
  role: RoleSchema.optional().describe('Of the wallet that signed in. Absent where an authToken says what is allowed.'),
  authTokenId: z
    .string()
    .optional()
    .describe(
      'The authToken that the session began with, or that the call brought. Absent after a sign-in with a wallet.',
    ),
  expiresAt: z
    .int()
    .optional()
    .describe(
      'Unix seconds; a session ends sooner when nothing uses it. Absent for an authToken that does not expire.',
    ),
  signUp,
  scopes: ScopesSchema,
});
export type Session = z.infer<typeof SessionSchema>;

export const MembershipSchema = z.object({
  accountId: z.string(),
  name: z.string().describe('Of the account.'),
  role: RoleSchema,
  addedAt: z.int().describe('Unix seconds.'),
  joinedAt: z.int().optional().describe('Unix seconds: when the wallet signed in there first. Absent: not yet.'),
});
export type MembershipItem = z.infer<typeof MembershipSchema>;

export const SwitchAccountRequestSchema = requestBody({
  accountId: textField('accountId', maxIdLength).describe('An account that the wallet of the session is a member of.'),
});
export type SwitchAccountRequest = z.infer<typeof SwitchAccountRequestSchema>;

export const SignUpSchema = z.object({ signUp });
export type SignUp = z.infer<typeof SignUpSchema>;

export const OpenSessionSchema = z.object({
  sessionId: z.string().describe('Names the session, and is not its secret.'),
  createdAt: z.int().describe('Unix seconds.'),
  lastUsedAt: z.int().describe('Unix seconds, to the minute.'),
  expiresAt: z.int().describe('Unix seconds; a session ends sooner when nothing uses it.'),
  authTokenId: z
    .string()
    .optional()
    .describe('The authToken that the session began with. Absent after a sign-in with a wallet.'),
  authTokenName: z.string().optional().describe('Its name.'),
  wallet: z.string().optional().describe('The wallet that signed in. Absent where an authToken did.'),
  isCurrent: z.boolean().describe('Whether it is the session that asks.'),
});
export type OpenSession = z.infer<typeof OpenSessionSchema>;

export const SessionParamsSchema = z.object({ sessionId: textField('sessionId', maxIdLength) });

const contract = initContract();

/** Signing in from a browser. The session itself is a cookie that no script can read, and never in an answer's body. */
export const sessionRouter = contract.router({
  readSignUp: {
    method: 'GET',
    path: '/session/sign-up',
    summary: 'Read who gets an account by signing in',
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
    summary: 'Get a nonce for a message to sign in with',
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
    summary: 'Sign in with a wallet or an authToken, for a cookie',
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
    summary: 'Read who is signed in, and until when',
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
    summary: 'List the accounts that the session’s wallet is a member of; none for an authToken',
    headers: AccountHeadersSchema,
    metadata: needs([], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Account list fetched', z.array(MembershipSchema)) },
  },
  switchAccount: {
    method: 'PUT',
    path: '/session/account',
    summary: 'Go on in another account of the session’s wallet, with a new cookie',
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
    summary: 'Leave the account: end the membership of the session’s wallet, and the session with it',
    headers: AccountHeadersSchema,
    body: contract.noBody(),
    metadata: needs([], withAuthToken('none', managementErrors.sessionNotFound, managementErrors.lastOwner)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelope('Account left') },
  },
  list: {
    method: 'GET',
    path: '/sessions',
    summary: 'List the account’s sessions that have not ended',
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
      'Sign out everywhere: end the sessions of the wallet that asks, and with the scope `manage` all that may no more than it',
    headers: AccountHeadersSchema,
    body: contract.noBody(),
    metadata: needs([], withAuthToken('none', managementErrors.scopeManageMissing)),
    responses: { ...commonErrorResponses, 200: envelope('Signed out everywhere') },
  },
});
