import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderSimulated, simulatedContracts } from '../../tools/compile-solidity.ts';

test.each(simulatedContracts)('the committed bytecode of $contract is what its source compiles to', (simulated) => {
  expect(readFileSync(simulated.generated, 'utf8')).toBe(renderSimulated(simulated));
});
