import { expect, test } from 'vitest';
import { changedSettings, mergeSettings } from '../../clients/dashboard/api/merge-settings.ts';

type Settings = {
  readonly name?: string;
  readonly max?: string;
  readonly cost?: { readonly wei?: string; readonly usd?: string } | undefined;
  readonly list?: readonly string[] | undefined;
};

const seen: Settings = { name: 'a', max: '1', cost: { wei: '5' }, list: ['x'] };

test.each<[string, Settings, Settings, Settings, readonly string[]]>([
  ['another field', { ...seen, name: 'b' }, { ...seen, max: '2' }, { ...seen, name: 'b', max: '2' }, []],
  ['nothing of mine', seen, { ...seen, max: '2' }, { ...seen, max: '2' }, []],
  ['the same to the same', { ...seen, max: '2' }, { ...seen, max: '2' }, { ...seen, max: '2' }, []],
  ['the same field', { ...seen, max: '3' }, { ...seen, max: '2' }, { ...seen, max: '3' }, ['max']],
  [
    'another part of a group',
    { ...seen, cost: { wei: '6' } },
    { ...seen, cost: { wei: '5', usd: '1' } },
    { ...seen, cost: { wei: '6', usd: '1' } },
    [],
  ],
  [
    'the same part of a group',
    { ...seen, cost: { wei: '6' } },
    { ...seen, cost: { wei: '7' } },
    { ...seen, cost: { wei: '6' } },
    ['wei'],
  ],
  ['a list as a whole', { ...seen, list: ['x', 'y'] }, { ...seen, list: [] }, { ...seen, list: ['x', 'y'] }, ['list']],
  [
    'a field that I remove',
    { name: 'a', max: '1', list: ['x'] },
    { ...seen, cost: { wei: '7' } },
    { ...seen, cost: undefined },
    ['cost'],
  ],
  [
    'a field that I leave and they remove',
    seen,
    { name: 'a', max: '1', cost: { wei: '5' } },
    { name: 'a', max: '1', cost: { wei: '5' }, list: undefined },
    [],
  ],
])('someone else changes %s', (_, mine, theirs, settings, conflicts) => {
  expect(mergeSettings(seen, mine, theirs)).toEqual({ settings, conflicts });
});

test('what is sent of settings is what differs, in whatever order fields are', () => {
  const before = { a: { x: 1, y: 2 }, b: 1, c: undefined };
  expect(changedSettings({ a: { y: 2, x: 1 }, b: 2, c: undefined }, before)).toEqual({ b: 2 });
});
