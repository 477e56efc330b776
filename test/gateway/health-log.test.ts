import { expect, test } from 'vitest';
import type { PartStatus } from '../../core/domain/operations/service-operations.ts';
import { createHealth } from '../../gateway/health.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';

function startHealth() {
  const lines: object[] = [];
  const { logger } = createRecordingLogger(({ fields, ...line }) => lines.push({ ...line, ...fields }));
  let answer: () => Promise<readonly PartStatus[]> = async () => [];
  const health = createHealth({ status: () => answer() }, logger);
  const askWith = (next: typeof answer) => {
    answer = next;
    return health.readiness();
  };
  return { lines, askWith };
}

const store = { part: 'store', ready: true, detail: 'the database responds' };
const chain = (ready: boolean, detail: string) => ({ part: 'chain 1', ready, detail, optional: true as const });

test('why a part is not ready is logged once when it begins, and once when it is over', async () => {
  const { lines, askWith } = startHealth();
  await askWith(async () => [store, chain(true, 'the node responds')]);
  expect(lines).toEqual([]);
  for (const behind of [64, 68]) await askWith(async () => [store, chain(false, `behind for ${behind} seconds`)]);
  expect(lines).toEqual([{ level: 'warn', message: 'Not ready', part: 'chain 1', detail: 'behind for 64 seconds' }]);
  for (const _ of [1, 2]) await askWith(async () => [store, chain(true, 'the node responds')]);
  expect(lines.slice(1)).toEqual([{ level: 'info', message: 'Ready again', part: 'chain 1' }]);
});

test('a core that fails to answer is logged with what it failed with', async () => {
  const { lines, askWith } = startHealth();
  const err = new Error('no connection');
  for (const _ of [1, 2]) expect((await askWith(() => Promise.reject(err))).ready).toBe(false);
  expect(lines).toEqual([
    { level: 'warn', message: 'Not ready', part: 'core', detail: 'the core does not respond', err },
  ]);
  expect((await askWith(async () => [store])).ready).toBe(true);
  expect(lines.slice(1)).toEqual([{ level: 'info', message: 'Ready again', part: 'core' }]);
});
