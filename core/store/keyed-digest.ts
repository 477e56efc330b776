import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Secret } from '../base/values/secret.ts';
import { StoreError } from './store-error.ts';

/** The purpose of a digest. Each has its own key, so that digests of one reveal nothing about another. */
type DigestPurpose =
  | 'auth-token-digest'
  | 'api-key-digest'
  | 'master-key-check'
  | 'client-address-digest'
  | 'session-digest'
  | 'sign-in-nonce';

/** A function from text to its HMAC-SHA-256, 64 lower-case hex digits, under a key of its own. */
export function createKeyedDigest(masterKey: Secret<Uint8Array>, purpose: DigestPurpose): (text: string) => string {
  return digestWith(deriveKey(masterKey, purpose));
}

/** A function from text to its HMAC-SHA-256, 64 lower-case hex digits, under an already derived key. */
export function digestWith(key: KeyObject): (text: string) => string {
  return (text) => createHmac('sha256', key).update(text, 'utf8').digest('hex');
}

/** Texts whose digest is cached. */
const maxCached = 1_000;

/** A digest with a cache, for texts that come again soon and are no secrets, such as the addresses of clients. */
export function cachedDigest(digest: (text: string) => string): (text: string) => string {
  const cache = new LRUCache<string, string>({ max: maxCached, memoMethod: digest });
  return (text) => cache.memo(text);
}

const masterKeyBytes = 32;

/** A key for one purpose, derived from the master key with HKDF-SHA-256 (RFC 5869). */
export function deriveKey(masterKey: Secret<Uint8Array>, purpose: string): KeyObject {
  const secret = masterKey.reveal();
  if (secret.length !== masterKeyBytes) throw new StoreError(`The master key must be ${masterKeyBytes} bytes long.`);
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `tollfree/${purpose}`, 32)));
}
