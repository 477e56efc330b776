import { expect, test } from 'vitest';
import { inOwnTurn, inOwnTurns } from '../../core/base/time/in-own-turn.ts';

/** Notes who has had a turn. */
function startNotes() {
  const order: string[] = [];
  const ask = (tenant: string) => inOwnTurn(tenant, () => order.push(tenant));
  return { order, ask };
}

test('a tenant with a thousand pieces of work has one turn between two of another tenant', async () => {
  const { order, ask } = startNotes();
  const many = Array.from({ length: 1_000 }, () => ask('greedy'));
  for (let piece = 0; piece < 10; piece += 1) await ask('modest');
  expect(order).toHaveLength(20);
  expect(order.filter((tenant) => tenant === 'greedy')).toHaveLength(10);
  await Promise.all(many);
  expect(order).toHaveLength(1_010);
});

test('the pieces of one tenant are done in the order in which they were asked for', async () => {
  const done: number[] = [];
  await Promise.all([1, 2, 3].map((piece) => inOwnTurn('one', () => done.push(piece))));
  expect(done).toEqual([1, 2, 3]);
});

test('a piece that throws rejects for whom it was done, and the next ones are done', async () => {
  const failing = inOwnTurn('one', () => {
    throw new Error('broken');
  });
  const next = inOwnTurn('one', () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('each piece has a turn of the event loop of its own', async () => {
  const turns: number[] = [];
  let turn = 0;
  let isCounting = true;
  const count = () => {
    turn += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(['one', 'two', 'one'].map((tenant) => inOwnTurn(tenant, () => turns.push(turn))));
  isCounting = false;
  expect(new Set(turns).size).toBe(3);
});

test('work in steps leaves turns to others, and throws what a step throws', async () => {
  function* failing(): Generator<void, never> {
    yield;
    throw new Error('broken');
  }
  await expect(inOwnTurns('one', failing())).rejects.toThrow('broken');
  function* steps(): Generator<void, string> {
    yield;
    return 'done';
  }
  expect(await inOwnTurns('one', steps())).toBe('done');
});
