import { expect, test } from 'vitest';
import { generateApiKey, isWellFormedApiKey } from '../../core/paymasters/key-settings.ts';

test('no apiKey begins with what a command line takes for a flag', () => {
  const keys = Array.from({ length: 5_000 }, generateApiKey);
  expect(keys.filter((key) => !/^[A-Za-z0-9]/.test(key))).toEqual([]);
  expect(keys.filter((key) => !isWellFormedApiKey(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
});
