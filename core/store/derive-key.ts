import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Secret } from '../base/values/secret.ts';
import { StoreError } from './store-error.ts';

const masterKeyBytes = 32;

/** A key for one purpose, derived from the master key with HKDF-SHA-256 (RFC 5869). */
export function deriveKey(masterKey: Secret<Uint8Array>, purpose: string): KeyObject {
  const secret = masterKey.reveal();
  if (secret.length !== masterKeyBytes) throw new StoreError(`The master key must be ${masterKeyBytes} bytes long.`);
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `tollfree/${purpose}`, 32)));
}
