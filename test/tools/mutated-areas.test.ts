import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mutatedAreas } from '../../tools/mutation/mutated-areas.ts';
import { filesOfGlob } from '../../tools/mutation/sample-lines.ts';

const root = resolve(import.meta.dirname, '../..');
const mutated = new Map(
  mutatedAreas.map(({ name, mutate }) => [name, mutate.flatMap((glob) => filesOfGlob(root, glob))]),
);

/** Folders of which every file is to be in an area: what decides about money, or who someone is. */
test.each([
  'core/evm/account-decoders',
  'core/evm/signer',
  'core/gas',
  'core/ledger',
  'core/management/accounts',
  'core/node',
  'core/policies',
  'core/sponsorship',
  'core/webhooks',
])('every file of %s is in one area', (folder) => {
  const files = filesOfGlob(root, `${folder}/**/*.ts`);
  expect(files.length).toBeGreaterThan(0);
  const all = [...mutated.values()].flat();
  expect(files.filter((file) => all.filter((one) => one === file).length !== 1)).toEqual([]);
});

test.each(mutatedAreas)('the area $name has its files and its tests', ({ name, tests, without = [] }) => {
  expect(mutated.get(name)).not.toEqual([]);
  expect(
    [...(mutated.get(name) ?? []), ...tests, ...without].filter((path) => !existsSync(resolve(root, path))),
  ).toEqual([]);
});
