import { expect, test } from 'vitest';
import { refusedByEntryPoint } from '../../server/dev/bundler/sent-operation.ts';

test.each([
  ['AA22 expired or not due', -32_503],
  ['AA27 outside valid block range', -32_503],
  ['AA32 paymaster expired or not due', -32_503],
  ['AA37 paymaster inval block range', -32_503],
  ['AA33 reverted', -32_501],
  ['AA21 didn’t pay prefund', -32_500],
] as const)('the bundler refuses %s with %i of ERC-7769', (reason, code) => {
  expect(refusedByEntryPoint(reason)).toMatchObject({ code, message: reason });
});
