import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callGasProbeGenerated, renderCallGasProbe } from '../tooling/compile-solidity.ts';

test('the committed bytecode of the probe is what its source compiles to', () => {
  expect(readFileSync(callGasProbeGenerated, 'utf8')).toBe(renderCallGasProbe());
});
