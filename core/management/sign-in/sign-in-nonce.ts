import { randomBytes, timingSafeEqual } from 'node:crypto';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { signInLimits } from '../accounts/sign-in-limits.ts';

const form = /^(?<issuedAt>[0-9a-f]{8})[0-9a-f]{24}(?<mac>[0-9a-f]{32})$/;
const macLength = 32;

/** The same refusal for another service's nonce, an expired one and a used one. */
export const nonceNotAccepted = refuse({
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
export function readNonce(digest: (text: string) => string, nonce: string, now: number): Result<number> {
  const { issuedAt, mac } = form.exec(nonce)?.groups ?? {};
  if (issuedAt === undefined || mac === undefined) return nonceNotAccepted;
  const expected = digest(nonce.slice(0, -macLength)).slice(0, macLength);
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return nonceNotAccepted;
  const expiresAt = Number.parseInt(issuedAt, 16) + signInLimits.nonceLifetime;
  return now < expiresAt ? accept(expiresAt) : nonceNotAccepted;
}
