import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secret } from '../domain/values/secret.ts';
import { deriveKey } from './derive-key.ts';

const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes + tagBytes;

/**
 * Encrypts what must be readable again. `boundTo` names the row and column: a sealed value that is copied elsewhere
 * does not open there.
 */
export type SecretBox = {
  seal(text: string, boundTo: string): Uint8Array;
  /** Throws when the value was altered, moved, or sealed under another master key. */
  open(sealed: Uint8Array, boundTo: string): string;
};

/** AES-256-GCM under a key derived from the master key. Layout: version (1) ‖ nonce (12) ‖ tag (16) ‖ ciphertext. */
export function createSecretBox(masterKey: Secret<Uint8Array>): SecretBox {
  const key = deriveKey(masterKey, 'encryption-at-rest');
  return {
    seal(text, boundTo) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, boundTo) {
      if (sealed[0] !== formatVersion || sealed.length < headerBytes) throw new Error('Not a sealed value');
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(sealed.subarray(1 + nonceBytes, headerBytes));
      return Buffer.concat([decipher.update(sealed.subarray(headerBytes)), decipher.final()]).toString('utf8');
    },
  };
}
