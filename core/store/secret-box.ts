import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { Secret } from '../base/values/secret.ts';
import { deriveKey } from './keyed-digest.ts';
import { digestMasterKey } from './master-keys/check-master-key.ts';

const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes + tagBytes;

/**
 * Encrypts values that must be readable again. `boundTo` names the row and column: a sealed value that is copied elsewhere
 * does not open there.
 */
export type SecretBox = {
  /** Identifies the newest master key, which seals, without revealing anything about it. */
  newest(): string;
  seal(text: string, boundTo: string): Uint8Array;
  /** Throws when the value was altered, moved, or sealed under a master key that was not given. */
  open(sealed: Uint8Array, boundTo: string): string;
  /** A sealed value, sealed under the newest master key; undefined if it already is. Throws like `open`. */
  reseal(sealed: Uint8Array, boundTo: string): Uint8Array | undefined;
};

/**
 * AES-256-GCM under a key derived from the master key; values of previous keys can still be opened. Layout: version (1) ‖
 * nonce (12) ‖ tag (16) ‖ ciphertext.
 */
export function createSecretBox(
  masterKey: Secret<Uint8Array>,
  previousMasterKeys: readonly Secret<Uint8Array>[] = [],
): SecretBox {
  const [newest, ...previous] = [masterKey, ...previousMasterKeys].map((key) => deriveKey(key, 'encryption-at-rest'));
  if (newest === undefined) throw new Error('A secret box needs a key');
  const seal: SecretBox['seal'] = (text, boundTo) => sealWith(newest, text, boundTo);
  const openWithPrevious = (sealed: Uint8Array, boundTo: string): string => {
    for (const key of previous) {
      const text = openWith(key, sealed, boundTo);
      if (text !== undefined) return text;
    }
    throw new Error('A sealed value was altered, moved, or sealed under another master key');
  };
  return {
    newest: () => digestMasterKey(masterKey),
    seal,
    open: (sealed, boundTo) => openWith(newest, sealed, boundTo) ?? openWithPrevious(sealed, boundTo),
    reseal: (sealed, boundTo) =>
      openWith(newest, sealed, boundTo) === undefined ? seal(openWithPrevious(sealed, boundTo), boundTo) : undefined,
  };
}

function sealWith(key: KeyObject, text: string, boundTo: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), ciphertext]);
}

/** The value, or undefined if this key did not seal it for this row. */
function openWith(key: KeyObject, sealed: Uint8Array, boundTo: string): string | undefined {
  if (sealed[0] !== formatVersion || sealed.length < headerBytes) throw new Error('Not a sealed value');
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(1 + nonceBytes, headerBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(headerBytes)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
