import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: number): string {
  return value < 62 ? alphabet.charAt(value) : base62(Math.floor(value / 62)) + alphabet.charAt(value % 62);
}

/** The checksum that ends an authToken: CRC-32 of its random part in base 62, six digits. */
export function authTokenChecksum(random: string): string {
  return base62(crc32(random)).padStart(6, '0');
}

const nobodysRandom = '0'.repeat(30);

/** An authToken of the right form, checksum included, that was never issued. */
export const unknownAuthToken = `tf_${nobodysRandom}${authTokenChecksum(nobodysRandom)}`;
