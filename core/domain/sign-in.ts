import { signUpModes } from '@tollfree/contract/sign-in/session';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { address, chainId, flag, listOf, message, seconds, text, trueOrAbsent } from '../base/message-schema.ts';
import { roles } from './access/role.ts';
import { scopes } from './access/scope.ts';
import type { Result } from './result/result.ts';

/**
 * Who gets an account by a first sign-in with a wallet: `open` anyone, `invited` wallets that the operator has invited,
 * `closed` no one. Wallets of existing accounts can always sign in.
 */
export { signUpModes };
export type SignUpMode = (typeof signUpModes)[number];

/** A nonce for one sign-in. Times are Unix seconds. */
export const SignInNonceSchema = message('SignInNonce', {
  nonce: text,
  issuedAt: seconds,
  expiresAt: seconds,
  /** Who gets an account by signing in: `open`, `invited` or `closed`. */
  signUp: z.enum(signUpModes),
});
export type SignInNonce = z.output<typeof SignInNonceSchema>;

/** Who gets an account by signing in. */
export const SignUpSchema = message('SignUp', {
  signUp: z.enum(signUpModes),
});

/** An active session, as shown to its account's holder, without its secret. Times are Unix seconds. */
export const SessionRecordSchema = message('SessionRecord', {
  /** Identifies the session for ending it. */
  sessionId: text,
  createdAt: seconds,
  /** Unix seconds, rounded to the minute. */
  lastUsedAt: seconds,
  /** At the latest; earlier if it is not used. */
  expiresAt: seconds,
  /** The authToken that it began with, and its name. Absent after a sign-in with a wallet. */
  authTokenId: text.exactOptional(),
  authTokenName: text.exactOptional(),
  /** Checksummed address of the wallet that signed in for it. Absent if it began with an authToken. */
  wallet: address.exactOptional(),
  /** Whether it is the requesting session. */
  isCurrent: flag,
});
export type SessionRecord = z.output<typeof SessionRecordSchema>;

/** The identity of a session or an authToken. */
export const IdentitySchema = message('Identity', {
  accountId: text,
  name: text,
  /** Checksummed address of the wallet that signed in, or else of the account's own. Absent: none. */
  wallet: address.exactOptional(),
  /** The chain of the contract wallet that signed in (ERC-1271). Absent: a wallet with a private key. */
  chainId: chainId.exactOptional(),
  /** Role of the wallet that signed in: `owner`, `manager` or `viewer`. Absent if an authToken determines the scopes. */
  role: z.enum(roles).exactOptional(),
  /** The authToken, or the one that the session began with. Absent after a sign-in with a wallet. */
  authTokenId: text.exactOptional(),
  /** What it may do: `read`, `manage`, `funds`. */
  scopes: listOf(z.enum(scopes)),
  /** Absent for an authToken that does not expire. */
  expiresAt: seconds.exactOptional(),
  /** Who gets an account by signing in: `open`, `invited` or `closed`. */
  signUp: z.enum(signUpModes),
  /** It may read what is reserved to the operator of the service. */
  operator: trueOrAbsent,
});
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
