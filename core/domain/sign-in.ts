import { MemberSchema as ApiMemberSchema } from '@tollfree/contract/access/member';
import { AccountSchema as ApiAccountSchema } from '@tollfree/contract/operator';
import { AuthTokenSchema } from '@tollfree/contract/sign-in/auth-token';
import * as api from '@tollfree/contract/sign-in/session';
import { MembershipSchema as ApiMembershipSchema } from '@tollfree/contract/sign-in/session';
import type { Address, Hex } from 'viem';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message, text } from '../base/message-schema.ts';
import type { Result } from './result/result.ts';

/**
 * A wallet that signs in to an account. The same address on another chain may belong to someone else, so a contract wallet is
 * a member on one chain only. Times are Unix seconds.
 */
export const MemberSchema = message('Member', fieldsOfApi(ApiMemberSchema));
export type Member = z.output<typeof MemberSchema>;

/** An account, as shown to a wallet that is a member of it. */
export const MembershipSchema = message('Membership', fieldsOfApi(ApiMembershipSchema));
export type Membership = z.output<typeof MembershipSchema>;

/** An account owns paymasters and has many authTokens. Times are Unix seconds. */
export const AccountSchema = message('Account', fieldsOfApi(ApiAccountSchema));
export type Account = z.output<typeof AccountSchema>;

/** An authToken in lists: the token itself is shown once, when it is issued, and stored only as a digest. */
export const AuthTokenRecordSchema = message('AuthTokenRecord', fieldsOfApi(AuthTokenSchema));
export type AuthTokenRecord = z.output<typeof AuthTokenRecordSchema>;

/** A new authToken. */
export const IssuedAuthTokenSchema = message('IssuedAuthToken', {
  /** The token. Only this answer contains it. */
  authToken: text,
  /** The token in lists. */
  record: AuthTokenRecordSchema,
});

/**
 * Who gets an account by a first sign-in with a wallet: `open` anyone, `invited` wallets that the operator has invited,
 * `closed` no one. Wallets of existing accounts can always sign in.
 */
export const { signUpModes } = api;
export type SignUpMode = (typeof signUpModes)[number];

/** A nonce for one sign-in. Times are Unix seconds. */
export const SignInNonceSchema = message(
  'SignInNonce',
  fieldsOfApi(api.SignInNonceSchema.omit({ domain: true, uri: true })),
);
export type SignInNonce = z.output<typeof SignInNonceSchema>;

/** Who gets an account by signing in. */
export const SignUpSchema = message('SignUp', fieldsOfApi(api.SignUpSchema));

/** An active session, as shown to its account's holder, without its secret. Times are Unix seconds. */
export const SessionRecordSchema = message('SessionRecord', fieldsOfApi(api.OpenSessionSchema));
export type SessionRecord = z.output<typeof SessionRecordSchema>;

/** The identity of a session or an authToken. */
export const IdentitySchema = message('Identity', fieldsOfApi(api.SessionSchema));
export type Identity = z.output<typeof IdentitySchema>;

/** A new session. Only this answer contains its secret. */
export const NewSessionSchema = message('NewSession', {
  /** Its secret, `tfs_…`. Only this answer contains it. */
  session: text,
  identity: IdentitySchema,
});
export type NewSession = z.output<typeof NewSessionSchema>;

/** A signature that a contract may have to verify. `message` is the signed text, without EIP-191's prefix. */
export type ContractWalletQuestion = {
  readonly chainId: number;
  readonly wallet: Address;
  readonly message: string;
  readonly signature: Hex;
};

/**
 * Whether the contract at `wallet` accepts a signature of `message` (ERC-1271; ERC-6492 for a wallet that is not deployed
 * yet). Undefined for a chain that is not served, `CHAIN_UNAVAILABLE` if its nodes do not answer.
 */
export type AskContractWallet = (question: ContractWalletQuestion) => Promise<Result<boolean | undefined>>;
