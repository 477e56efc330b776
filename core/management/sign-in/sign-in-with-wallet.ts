import { randomBytes, timingSafeEqual } from 'node:crypto';
import { maxSignatureLength, maxSignInMessageLength } from '@tollfree/contract/limits';
import type { Transaction } from 'kysely';
import { type Address, isHex } from 'viem';
import { createSiweMessage, parseSiweMessage, type SiweMessage, validateSiweMessage } from 'viem/siwe';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { scopesOfRole } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { AskContractWallet, ContractWalletQuestion, NewSession, SignUpMode } from '../../domain/sign-in.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';
import { recoverMessageSigner } from '../funding/recover-message-signer.ts';
import { clientDigest, findAccountFor, openAccount } from './admit-wallet.ts';
import { beginSession, toIdentity } from './begin-session.ts';

/** 65 bytes in hex. */
const keySignatureLength = 2 + 65 * 2;

/** `chainId` is that of a contract wallet. */
type Signer = { readonly wallet: Address; readonly chainId?: number };

const signatureNotAccepted = refuse({
  reason: 'SIGN_IN_SIGNATURE_NOT_ACCEPTED',
  message: 'Signature does not match the wallet in the message',
});
const contractWallet = refuse({
  reason: 'CONTRACT_WALLET_NOT_SUPPORTED',
  message: 'Contract wallets can sign in only on a chain of this service. Switch the wallet to one of its chains.',
});

export type SignInParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly signUp: SignUpMode;
  readonly askContractWallet: AskContractWallet;
  /** The digests are keyed; `digestNonce` also distinguishes our nonces from others. */
  readonly digestSession: (session: string) => string;
  readonly digestNonce: (nonce: string) => string;
  readonly digestClient: (client: string) => string;
};

/**
 * `Core.signInWithWallet`. Nothing is written before the wallet's signature is verified. The transaction that starts the
 * session also consumes the nonce, so that only one of several calls with it succeeds.
 */
export function signInWithWallet(parts: SignInParts): Core['signInWithWallet'] {
  const { store, clock, signUp, askContractWallet, digestSession, digestNonce, digestClient } = parts;

  /** Only contract wallets need a node; a signature by a private key is verified locally. */
  async function findSigner(signed: ContractWalletQuestion): Promise<Result<Signer>> {
    const { wallet, chainId } = signed;
    if (recoverMessageSigner(signed.message, signed.signature) === wallet) return accept({ wallet });
    const accepted = await askContractWallet(signed);
    if (!accepted.ok) return accepted;
    if (accepted.value === undefined && signed.signature.length > keySignatureLength) return contractWallet;
    return accepted.value === true ? accept({ wallet, chainId }) : signatureNotAccepted;
  }

  return async ({ message, signature, origin, client, accountId }): Promise<Result<NewSession>> => {
    const now = unixSeconds(clock);
    const read = readSignInMessage(message, { origin, now });
    if (!read.ok) return read;
    const { nonce } = read.value;
    const nonceEnd = readNonce(digestNonce, nonce, now);
    if (!nonceEnd.ok) return nonceEnd;
    if (signature.length > maxSignatureLength || !isHex(signature)) return signatureNotAccepted;
    const signer = await findSigner({ ...read.value, message, signature });
    if (!signer.ok) return signer;
    const arrival = { ...signer.value, client: clientDigest(digestClient, client), now, signUp, accountId };
    const begun = await store.transaction(async (trx) => {
      const found = await findAccountFor(trx, arrival);
      if (!found.ok) return found;
      if (!(await useUp(trx, nonce, nonceEnd.value))) return nonceNotAccepted;
      const account = await openAccount(trx, arrival, found.value);
      const beginning = await beginSession(trx, digestSession, {
        accountId: account.account_id,
        wallet: signer.value.wallet,
        now,
      });
      return accept({ ...beginning, account });
    });
    if (!begun.ok) return begun;
    const { session, expiresAt, account } = begun.value;
    const { role } = account;
    const identity = toIdentity(account, { ...signer.value, role, expiresAt, signUp, scopes: scopesOfRole[role] });
    return accept({ session, identity });
  };
}

async function useUp(trx: Transaction<Database>, nonce: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('used_nonces')
    .values({ nonce, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

const notValid = refuse({
  reason: 'SIGN_IN_MESSAGE_NOT_VALID',
  message: 'message must be a Sign in with Ethereum message (EIP-4361) of version 1 with a chain id above 0',
});
const forElsewhere = refuse({ reason: 'SIGN_IN_FOR_ELSEWHERE', message: 'message is for another site' });
const expired = refuse({ reason: 'SIGN_IN_EXPIRED', message: 'message is expired or not valid yet' });

const timeLine = /^(?<name>Issued At|Expiration Time|Not Before): (?<time>.+)$/gm;

/** The text with its times in the form that viem writes; other RFC 3339 forms are equally valid. */
function withPlainTimes(message: string): string {
  return message.replace(timeLine, (line, name: string, time: string) => {
    const milliseconds = Date.parse(time);
    return Number.isNaN(milliseconds) ? line : `${name}: ${new Date(milliseconds).toISOString()}`;
  });
}

/** Parses everything that the wallet showed to its owner: no text outside the fields, and none in two of them. */
function parseWhole(message: string): SiweMessage | undefined {
  try {
    // The library finds fields anywhere in the text, and accepts incomplete messages.
    const fields = parseSiweMessage(message) as SiweMessage;
    return createSiweMessage(fields) === withPlainTimes(message) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The wallet, chain and nonce of an EIP-4361 message that is for `origin` (`https://gas.example.org`) and valid at `now`
 * (Unix seconds). Does not check the signature or the nonce.
 */
function readSignInMessage(
  message: string,
  { origin, now }: { readonly origin: string; readonly now: number },
): Result<{ readonly wallet: Address; readonly chainId: number; readonly nonce: string }> {
  if (message.length > maxSignInMessageLength) return notValid;
  const fields = parseWhole(message);
  if (fields === undefined || !Number.isSafeInteger(fields.chainId) || fields.chainId < 1) return notValid;
  const { issuedAt, address, chainId, nonce } = fields;
  if (issuedAt === undefined || Number.isNaN(issuedAt.getTime())) return notValid;
  const site = new URL(origin);
  const { host: domain } = site;
  const scheme = fields.scheme === undefined || `${fields.scheme}:` === site.protocol;
  if (fields.domain !== domain || !scheme || originOf(fields.uri) !== site.origin) return forElsewhere;
  const age = now - Math.floor(issuedAt.getTime() / 1_000);
  if (age > signInLimits.maxMessageAge || age < -signInLimits.maxClockLead) return expired;
  if (!validateSiweMessage({ message: fields, time: new Date(now * 1_000) })) return expired;
  return accept({ wallet: address, chainId, nonce });
}

function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined;
}

const form = /^(?<issuedAt>[0-9a-f]{8})[0-9a-f]{24}(?<mac>[0-9a-f]{32})$/;
const macLength = 32;

/** One refusal for another service's nonce, an expired one and a used one. */
const nonceNotAccepted = refuse({
  reason: 'SIGN_IN_NONCE_NOT_ACCEPTED',
  message: 'Nonce is unknown, expired or used. Request a new one.',
});

/**
 * A new nonce: its creation time, 96 random bits, and a keyed digest of both. Nothing is stored until it is used, so no one
 * can fill memory with nonces or evict those of others.
 */
export function createNonce(digest: (text: string) => string, now: number): string {
  const head = `${now.toString(16).padStart(8, '0')}${randomBytes(12).toString('hex')}`;
  return `${head}${digest(head).slice(0, macLength)}`;
}

/** The expiry of one of our nonces, in Unix seconds. The store knows whether it was used. */
function readNonce(digest: (text: string) => string, nonce: string, now: number): Result<number> {
  const { issuedAt, mac } = form.exec(nonce)?.groups ?? {};
  if (issuedAt === undefined || mac === undefined) return nonceNotAccepted;
  const expected = digest(nonce.slice(0, -macLength)).slice(0, macLength);
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return nonceNotAccepted;
  const expiresAt = Number.parseInt(issuedAt, 16) + signInLimits.nonceLifetime;
  return now < expiresAt ? accept(expiresAt) : nonceNotAccepted;
}
