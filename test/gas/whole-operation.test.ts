import { expect, test } from 'vitest';
import { takesWholeOperation } from '../../core/gas/simulation/plan-measurement.ts';
import { operationWith } from '../support/core/step-lab.ts';

test('from 0.7 on an account is called with the whole operation where its call data begins with executeUserOp', () => {
  const takes = (entryPointVersion: '0.6' | '0.7' | '0.8', callData: `0x${string}`) =>
    takesWholeOperation(operationWith({ entryPointVersion, callData }));
  expect(takes('0.7', '0x8dd7712f')).toBe(true);
  expect(takes('0.8', '0x8dd7712faabb')).toBe(true);
  expect(takes('0.7', '0x8dd7712e')).toBe(false);
  expect(takes('0.8', '0x')).toBe(false);
  // An account of 0.6 is called with its call data whatever they begin with.
  expect(takes('0.6', '0x8dd7712faabb')).toBe(false);
});
