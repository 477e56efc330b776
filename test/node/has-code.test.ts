import { afterEach, expect, test, vi } from 'vitest';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { hasCode } from '../../core/node/has-code.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const chainThat = (getCode: () => Promise<unknown>) => ({ getCode }) as unknown as ChainClient;

afterEach(() => vi.useRealTimers());

test.each([
  ['has code', async () => '0x60', true],
  ['has none', async () => undefined, false],
  ['cannot be read', async () => Promise.reject(new Error('The node is down.')), undefined],
])('a chain that %s', async (_name, getCode, expected) => {
  expect(await hasCode(chainThat(getCode), address)).toBe(expected);
});

test('a node that is silent is waited for two seconds', async () => {
  vi.useFakeTimers();
  let answer: boolean | undefined | 'none yet' = 'none yet';
  const asked = hasCode(
    chainThat(() => new Promise(() => {})),
    address,
  ).then((said) => {
    answer = said;
  });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(answer).toBe('none yet');
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(answer).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
