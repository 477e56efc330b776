import { describe, expect, test } from 'vitest';
import { accept, refuse } from '../../core/domain/result/result.ts';
import type { Eip7702Authorization, GasLimits, UserOperation } from '../../core/domain/user-operation.ts';
import { createEstimateMemory, estimateKey, type KnownEstimate } from '../../core/gas/guard-memory.ts';

const limits: GasLimits = {
  callGasLimit: 1n,
  verificationGasLimit: 2n,
  preVerificationGas: 3n,
  paymasterVerificationGasLimit: 4n,
  paymasterPostOpGasLimit: 5n,
};
const known = (nonce: bigint, code?: `0x${string}`) =>
  accept<KnownEstimate>({
    withoutDataFee: limits,
    maxPreVerificationGas: 4n,
    suffices: true,
    dataFee: { kind: 'gas', gas: 0n },
    nonce,
    proven: limits,
    ...(code === undefined ? {} : { account: { code, words: {}, beaconImplementation: '0x' } }),
  });
const refused = refuse({ reason: 'ESTIMATION_FAILED', message: 'It fails.' });

describe('the memory of estimates', () => {
  test('keeps an estimate for a minute and a refusal for two seconds', async () => {
    let now = 1_000;
    const memory = createEstimateMemory({ now: () => now });
    await memory.remember('good', async () => known(1n));
    await memory.remember('bad', async () => refused);
    now = 1_000 + 1_999;
    expect(memory.find('bad')).toEqual(refused);
    now = 1_000 + 2_000;
    expect(memory.find('bad')).toBeUndefined();
    now = 1_000 + 59_999;
    expect(memory.find('good')).toEqual(known(1n));
    now = 1_000 + 60_000;
    expect(memory.find('good')).toBeUndefined();
  });

  test('counts the time from when the estimate was there', async () => {
    let now = 0;
    const memory = createEstimateMemory({ now: () => now });
    await memory.remember('slow', async () => {
      now = 50_000;
      return known(1n);
    });
    now = 100_000;
    expect(memory.find('slow')).toEqual(known(1n));
  });

  test('hands out the first estimate while it is being made, and makes another one next to it when asked to', async () => {
    const memory = createEstimateMemory({ now: () => 0 });
    let finish: (made: ReturnType<typeof known>) => void = () => undefined;
    const making = memory.remember('key', () => new Promise((resolve) => (finish = resolve)));
    const found = memory.find('key');
    const second = memory.remember('key', async () => known(2n));
    expect(memory.find('key')).toBe(found);
    expect(await second).toEqual(known(2n));
    finish(known(1n));
    expect(await making).toEqual(known(1n));
    expect(await found).toEqual(known(1n));
  });

  test('forgets one that broke off', async () => {
    const memory = createEstimateMemory({ now: () => 0 });
    const broken = new Error('broken');
    await expect(memory.remember('key', () => Promise.reject(broken))).rejects.toThrow(broken);
    expect(memory.find('key')).toBeUndefined();
    await memory.remember('key', async () => known(1n));
    expect(memory.find('key')).toEqual(known(1n));
  });

  test('forgets the least recently used one beyond its capacity', async () => {
    const memory = createEstimateMemory({ now: () => 0 }, 2);
    for (const key of ['a', 'b']) await memory.remember(key, async () => known(1n));
    memory.find('a');
    await memory.remember('c', async () => refused);
    expect(['a', 'b', 'c'].map((key) => memory.find(key) !== undefined)).toEqual([true, false, true]);
  });

  test('is bounded by the code of accounts too', async () => {
    const memory = createEstimateMemory({ now: () => 0 });
    const code = `0x${'ab'.repeat(10_000_000)}` as const;
    for (const key of ['a', 'b', 'c']) await memory.remember(key, async () => known(1n, code));
    expect(['a', 'b', 'c'].map((key) => memory.find(key) !== undefined)).toEqual([false, true, true]);
  });
});

describe('two operations share an estimate', () => {
  const operation: UserOperation = {
    entryPointVersion: '0.8',
    sender: `0x${'11'.repeat(20)}`,
    nonce: 5n,
    initCode: '0x7702',
    callData: '0x1234',
    maxFeePerGas: 7n,
    maxPriorityFeePerGas: 6n,
    signature: '0x99',
    eip7702Delegate: `0x${'22'.repeat(20)}`,
  };
  const request = { operation, entryPoint: `0x${'ee'.repeat(20)}`, payment: 'sponsored' } as const;
  const authorization: Eip7702Authorization = {
    address: `0x${'22'.repeat(20)}`,
    chainId: 1n,
    nonce: 0n,
    r: 1n,
    s: 1n,
    yParity: 0,
  };
  const key = estimateKey(request);
  const keyWith = (changed: Partial<UserOperation>) =>
    estimateKey({ ...request, operation: { ...operation, ...changed } });

  test.each<[string, string]>([
    ['nonce', keyWith({ nonce: 6n })],
    ['price', keyWith({ maxFeePerGas: 8n, maxPriorityFeePerGas: 8n })],
    ['signature of the same length', keyWith({ signature: '0x98' })],
    ['word on reverting that says nothing', estimateKey({ ...request, mayRevert: false })],
  ])('with another %s', (_, other) => {
    expect(other).toBe(key);
  });

  test.each<[string, string]>([
    ['sender', keyWith({ sender: `0x${'12'.repeat(20)}` })],
    ['factory', keyWith({ initCode: '0x' })],
    ['call', keyWith({ callData: '0x1235' })],
    ['length of the signature', keyWith({ signature: '0x9999' })],
    ['delegate', keyWith({ eip7702Delegate: `0x${'23'.repeat(20)}` })],
    ['authorization', keyWith({ eip7702Auth: authorization })],
    ['EntryPoint', estimateKey({ ...request, entryPoint: `0x${'ef'.repeat(20)}` })],
    ['payment', estimateKey({ ...request, payment: 'USDC' })],
    ['word on reverting', estimateKey({ ...request, mayRevert: true })],
  ])('not with another %s', (_, other) => {
    expect(other).not.toBe(key);
  });
});
