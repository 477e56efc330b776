import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { generateAuthToken, isWellFormedAuthToken } from '../../core/management/accounts/find-auth-token.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an authToken', () => {
  test('is tf_, at least 160 random bits in base 62 and six digits of checksum', () => {
    const token = generateAuthToken();
    expect(token).toMatch(/^tf_[0-9A-Za-z]+$/);
    const randomDigits = token.length - 'tf_'.length - 6;
    expect(randomDigits * Math.log2(62)).toBeGreaterThanOrEqual(160);
  });

  test('ends in the CRC-32 of its random part', () => {
    const token = generateAuthToken();
    const checksum = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
    expect(checksum).toBe(crc32(token.slice(3, -6)));
  });

  test('is never the same twice and uses the whole alphabet', () => {
    const tokens = Array.from({ length: 200 }, generateAuthToken);
    expect(new Set(tokens).size).toBe(200);
    expect(new Set(tokens.map((token) => token.slice(3, -6)).join('')).size).toBe(62);
  });

  test('with any character mistyped is not well formed', () => {
    const token = generateAuthToken();
    expect(isWellFormedAuthToken(token)).toBe(true);
    for (let index = 0; index < token.length; index++) {
      const typed = token[index] === 'x' ? 'y' : 'x';
      const mistyped = token.slice(0, index) + typed + token.slice(index + 1);
      expect(isWellFormedAuthToken(mistyped), mistyped).toBe(false);
    }
  });

  test.each(['', 'tf_', 'tf_000000', ` ${generateAuthToken()}`, `${generateAuthToken()}\n`, 'x'.repeat(100_000)])(
    'is not %j',
    (text) => expect(isWellFormedAuthToken(text)).toBe(false),
  );
});
