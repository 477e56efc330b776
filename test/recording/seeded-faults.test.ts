import { expect, test } from 'vitest';
import { withFault } from '../support/run/run-with-faults.ts';
import { seededFaults } from './seeded-faults.ts';

test.each(seededFaults)('$name: it can be planted in the sources as they are', (fault) => {
  expect(withFault(fault)).toContain(fault.to);
});
