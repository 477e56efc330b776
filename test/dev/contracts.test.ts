import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileDevContracts, devContractsFile } from '../../tools/compile-dev-contracts.ts';

test('the committed contracts of the development chain are what their sources compile to', () => {
  expect(readFileSync(devContractsFile, 'utf8')).toBe(compileDevContracts());
});
