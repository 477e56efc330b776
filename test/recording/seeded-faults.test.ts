import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seededFaults } from './seeded-faults.ts';

test.each(seededFaults)('$name: it can be planted in the sources as they are', ({ file, from, to }) => {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(source.split(from)).toHaveLength(2);
  expect(source.replace(from, () => to)).not.toBe(source);
});
