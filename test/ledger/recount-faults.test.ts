import { expect, test } from 'vitest';
import { runWithFaults } from '../support/run/run-with-faults.ts';
import { plantedFaults } from './recount/planted-faults.ts';

test('a model that recounts all operations finds each planted fault', { timeout: 1_800_000 }, () => {
  const found: string[] = [];
  runWithFaults(
    plantedFaults,
    ['test/ledger/recount/main.ts', '--rounds', '20'],
    ({ name }, { status, stdout, stderr }) => {
      const [line = ''] = stdout.split('\n');
      console.log(`${name}\n  ${status === 1 ? line : `MISSED ${stderr}`}`);
      if (status === 1 && line.startsWith('Error: Seed')) found.push(name);
    },
  );
  expect(found).toEqual(plantedFaults.map(({ name }) => name));
});
