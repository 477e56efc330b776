import { signUpModes } from '@tollfree/contract/sign-in/session';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { address, chainId, flag, listOf, message, seconds, text, trueOrAbsent } from '../base/message-schema.ts';
import { roles } from './access/role.ts';
import { scopes } from './access/scope.ts';
import type { Result } from './result/result.ts';

/**
 * Who gets an account by a first sign-in with a wallet: `open` everybody, `invited` wallets that the operator has
 * invited, `closed` no one. Wallets of accounts that are there sign in with each of them.
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

/** A session that has not ended, as its account's holder sees it: never its secret. Times are Unix seconds. */
export const SessionRecordSchema = message('SessionRecord', {
  /** Identifies the session for ending it. */
  sessionId: text,
  createdAt: seconds,
  /** Unix seconds, to the minute. */
  lastUsedAt: seconds,
  /** At the latest; sooner when nothing uses it. */
  expiresAt: seconds,
  /** The authToken that it began with, and its name. Absent after a sign-in with a wallet. */
  authTokenId: text.exactOptional(),
  authTokenName: text.exactOptional(),
  /** Checksummed address of the wallet that signed in for it. Absent where an authToken did. */
  wallet: address.exactOptional(),
  /** Whether it is the one that asks. */
  isCurrent: flag,
});
export type SessionRecord = z.output<typeof SessionRecordSchema>;

/** Whose a session or an authToken is. */
export const IdentitySchema = message('Identity', {
  accountId: text,
  name: text,
  /** Checksummed address of the wallet that signed in, or else of the account's own. Absent: none. */
  wallet: address.exactOptional(),
  /** The chain of the contract wallet that signed in (ERC-1271). Absent: a wallet with a private key. */
  chainId: chainId.exactOptional(),
  /** Of the wallet that signed in: `owner`, `manager` or `viewer`. Absent where an authToken says what is allowed. */
  role: z.enum(roles).exactOptional(),
  /** The authToken, or the one that the session began with. Absent after a sign-in with a wallet. */
  authTokenId: text.exactOptional(),
  /** What it may: `read`, `manage`, `funds`. */
  scopes: listOf(z.enum(scopes)),
  /** Absent for an authToken that does not expire. */
  expiresAt: seconds.exactOptional(),
  /** Who gets an account by signing in: `open`, `invited` or `closed`. */
  signUp: z.enum(signUpModes),
  /** It may see what only the operator of the service sees. */
  operator: trueOrAbsent,
});
export type Identity = z.output<typeof IdentitySchema>;

/** A new session. The secret is in this answer and never again. */
export const NewSessionSchema = message('NewSession', {
  /** Its secret, `tfs_…`: in this answer and never again. */
  session: text,
  identity: IdentitySchema,
});
export type NewSession = z.output<typeof NewSessionSchema>;

/** A signature that a contract may have to judge. `message` is the text that was signed, without EIP-191's prefix. */
export type ContractWalletQuestion = {
  readonly chainId: number;
  readonly wallet: Address;
  readonly message: string;
  readonly signature: Hex;
};

/**
 * Whether the contract at `wallet` accepts a signature of `message` (ERC-1271; ERC-6492 for a wallet that is not deployed yet).
 * Undefined for a chain that is not served, `CHAIN_UNAVAILABLE` if its nodes do not answer.
 */
export type AskContractWallet = (question: ContractWalletQuestion) => Promise<Result<boolean | undefined>>;
