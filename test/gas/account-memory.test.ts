import { expect, test } from 'vitest';
import { accept, refuse } from '../../core/domain/result/result.ts';
import { accountLifetimeMs, createAccountMemory } from '../../core/gas/guard-memory.ts';

const sender = '0x00000000000000000000000000000000000000A1';
const seen = (code: `0x${string}`) => accept({ code, words: {}, beaconImplementation: '0x' as const });
const unavailable = refuse({ reason: 'CHAIN_UNAVAILABLE', message: 'The node does not respond.' });
const nobodyAsks = async () => {
  throw new Error('The account was looked at again.');
};

test('an account counts as what it was for its time from the question, not from the answer', async () => {
  let now = 1_000;
  const memory = createAccountMemory({ now: () => now });
  await memory.see({ sender }, async () => {
    now += accountLifetimeMs - 1;
    return seen('0x01');
  });
  expect(await memory.see({ sender }, nobodyAsks)).toEqual(seen('0x01'));
  now += 1;
  expect(await memory.see({ sender }, async () => seen('0x02'))).toEqual(seen('0x02'));
});

test('all who come while it is looked at share the answer, but none that has been under way for longer', async () => {
  let now = 0;
  const memory = createAccountMemory({ now: () => now });
  const answers: ((code: `0x${string}`) => void)[] = [];
  const look = () => new Promise<ReturnType<typeof seen>>((resolve) => answers.push((code) => resolve(seen(code))));
  const first = memory.see({ sender }, look);
  const shared = memory.see({ sender }, nobodyAsks);
  now = accountLifetimeMs;
  const later = memory.see({ sender }, look);
  answers[1]?.('0x02');
  expect(await later).toEqual(seen('0x02'));
  answers[0]?.('0x01');
  expect([await first, await shared]).toEqual([seen('0x01'), seen('0x01')]);
  expect(await memory.see({ sender }, nobodyAsks)).toEqual(seen('0x02'));
});

test('an account that could not be looked at is asked about again', async () => {
  const memory = createAccountMemory({ now: () => 0 });
  expect(await memory.see({ sender }, async () => unavailable)).toEqual(unavailable);
  expect(await memory.see({ sender }, async () => seen('0x01'))).toEqual(seen('0x01'));
});

test('what a simulation has seen is not asked again; an authorization makes it another account', async () => {
  let now = 5_000;
  const memory = createAccountMemory({ now: () => now });
  const eip7702Auth = { address: '0x00000000000000000000000000000000000000d1' } as never;
  memory.keep({ sender }, seen('0x01'), now);
  expect(await memory.see({ sender }, nobodyAsks)).toEqual(seen('0x01'));
  expect(await memory.see({ sender, eip7702Auth }, async () => seen('0x02'))).toEqual(seen('0x02'));
  now -= accountLifetimeMs;
  expect(await memory.see({ sender }, async () => seen('0x03'))).toEqual(seen('0x03'));
});
