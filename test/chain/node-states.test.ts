import { expect, test } from 'vitest';
import { createNodeStates, maskedHost } from '../../core/node/chain-client.ts';
import type { Endpoint } from '../../core/node/rpc/create-endpoint.ts';

const answering = (answer: unknown): Endpoint => ({ ask: async () => answer });
const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] };

test('takes down the newest block that a node was asked for, and forgets it after a minute', async () => {
  let now = 0;
  const states = createNodeStates(['https://one.example', 'https://two.example'], { now: () => now });
  await states.watch(0, answering({ number: '0x10' })).ask(latest);
  await states.watch(1, answering('0x11')).ask({ method: 'eth_blockNumber' });
  await states.watch(1, answering({ number: '0x1' })).ask({ method: 'eth_getBlockByNumber', params: ['0x1', false] });
  expect(states.read().map(({ head }) => head)).toEqual([16n, 17n]);
  now = 61_000;
  expect(states.read().map(({ head }) => head)).toEqual([undefined, undefined]);
});

test('keeps nothing of a node that answers nonsense', async () => {
  const states = createNodeStates(['https://one.example'], { now: () => 0 });
  for (const answer of [undefined, null, 'text', {}, { number: null }, { number: `0x${'f'.repeat(1_000)}` }]) {
    await states.watch(0, answering(answer)).ask(latest);
  }
  expect(states.read()).toEqual([{ host: 'one.example', rests: false, unanswered: [] }]);
});

test('says which nodes rest', () => {
  const states = createNodeStates(['https://one.example', 'https://two.example'], { now: () => 0 });
  states.notes.rests(0, new Error('away'));
  expect(states.read().map(({ rests }) => rests)).toEqual([true, false]);
  states.notes.returns(0);
  expect(states.read().map(({ rests }) => rests)).toEqual([false, false]);
});

test.each([
  ['https://user:secret@base.example.com:8545/v2/key?token=key', 'base.example.com'],
  ['https://a1b2c3d4e5f6a7b8c9d0.rpc.example.com/', '….rpc.example.com'],
  ['http://127.0.0.1:8545', '127.0.0.1'],
  ['http://[::1]:8545', '[::1]'],
  ['not a url', '…'],
])('of %s the host is %s', (url, host) => {
  expect(maskedHost(url)).toBe(host);
});
