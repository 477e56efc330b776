import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 30 characters of 62 are 178 bits. */
const randomLength = 30;
/** Six characters of 62 hold any 32-bit checksum. */
const checksumLength = 6;
const form = new RegExp(`^tf_([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checksumLength}})$`);

/** A new authToken, `tf_<random><checksum>`. The prefix lets secret scanners find it. */
export function generateAuthToken(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return `tf_${random}${checksumOf(random)}`;
}

/** Whether the text has the form of an authToken with the right checksum: distinguishes a mistyped token from other text. */
export function isWellFormedAuthToken(text: string): boolean {
  const [, random, checksum] = form.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** CRC-32 of the random part in base 62, most significant digit first, padded to six digits. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let position = 0; position < checksumLength; position++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
