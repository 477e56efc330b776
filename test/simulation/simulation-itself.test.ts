import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../core/store/store.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { healthyNode } from './chain/simulated-node.ts';
import { fundTanks, takeStep } from './run-simulation.ts';
import { compareAll, compareStep } from './steps/compare-step.ts';
import type { Simulation } from './steps/simulation-state.ts';
import { startSimulation } from './steps/start-simulation.ts';

const seed = 4;
const steps = 60;
const nothing = toWeiText(0n);

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterAll(() => {
  vi.useRealTimers();
});

/** What is amiss in the ledger after some steps, in words; undefined when nothing is. */
async function findAmiss(change: (store: Store) => Promise<unknown>): Promise<string | undefined> {
  const simulation = await startSimulation(seed);
  try {
    await fundTanks(simulation);
    for (let step = 0; step < steps; step += 1) await takeStep(simulation);
    await change(simulation.service.running().store);
    compareStep(simulation);
    await compareAll(simulation);
    return undefined;
  } catch (cause) {
    return String(cause);
  } finally {
    await simulation.service.close();
  }
}

describe('a simulation finds amiss', () => {
  test('nothing in a ledger that no one has touched', async () => {
    expect(await findAmiss(() => Promise.resolve())).toBeUndefined();
  });

  test.each<[string, RegExp, (store: Store) => Promise<unknown>]>([
    [
      'a hold that is gone',
      /number of holds/,
      ({ db }) => db.updateTable('holds').set({ state: 'released' }).where('state', '=', 'live').execute(),
    ],
    [
      'a hold that ends too early',
      /end of hold/,
      ({ db }) => db.updateTable('holds').set({ valid_until: 1 }).where('state', '=', 'live').execute(),
    ],
    [
      'a tank with more in it',
      /funded of/,
      ({ db }) =>
        db
          .updateTable('tanks')
          .set({ funded: toWeiText(10n ** 30n) })
          .execute(),
    ],
    [
      'an entry that nothing explains',
      /entries of/,
      ({ db }) =>
        db
          .insertInto('journal')
          .values({
            contract_id: 1,
            tank_id: 1,
            kind: 'credit',
            amount: toWeiText(1n),
            moved: toWeiText(0n),
            reason: 'none',
            reversal: 0,
            created_at: 1,
          })
          .execute(),
    ],
    [
      'a deposit that differs from the chain',
      /on chain/,
      ({ db }) =>
        db
          .updateTable('contract_totals')
          .set({ deposit: toWeiText(7n) })
          .execute(),
    ],
    [
      'a limit that has forgotten something',
      /limit .* kept 0/,
      ({ db }) => sql`UPDATE ledger_accounts SET count = 0, amount = ${nothing} WHERE name LIKE 'limit/%'`.execute(db),
    ],
    [
      'a budget that has forgotten something',
      /budget .* kept 0/,
      ({ db }) =>
        sql`UPDATE ledger_accounts SET amount = ${nothing} WHERE EXISTS (
          SELECT 1 FROM budgets WHERE ledger_accounts.name LIKE 'limit/' || limit_id || '/%')`.execute(db),
    ],
    ['a signedTerms that is lost', /granted|knownTerms/, ({ db }) => db.deleteFrom('signed_terms').execute()],
  ])('%s', async (_, sentence, change) => {
    expect(await findAmiss(change)).toMatch(sentence);
  });
});

test('what is read from the chain again is not posted again', async () => {
  const simulation = await startSimulation(seed);
  try {
    await fundTanks(simulation);
    for (let step = 0; step < steps; step += 1) await takeStep(simulation);
    const { store, watcher } = simulation.service.running();
    await store.db
      .updateTable('contract_watches')
      .set({ next_block: 1, last_hash: simulation.chain.blocks[0]?.hash ?? '0x' })
      .execute();
    for (const { faults } of simulation.nodes) Object.assign(faults, healthyNode());
    await expect(watcher.catchUp()).rejects.toThrow('the nodes omit events or report different ones');
    compareStep(simulation);
    await compareAll(simulation);
  } finally {
    await simulation.service.close();
  }
});

test('the same seed is the same world to the last step', async () => {
  const stories = [await tellStory(), await tellStory()];
  expect(stories[0]).toContain('requests, committed');
  expect(stories[1]).toBe(stories[0]);
});

async function tellStory(): Promise<string> {
  const simulation = await startSimulation(seed);
  const story: string[] = [];
  try {
    await fundTanks(simulation);
    for (let step = 0; step < steps; step += 1) {
      await takeStep(simulation);
      story.push(...lastTold(simulation));
    }
  } finally {
    await simulation.service.close();
  }
  return story.join('\n');
}

function lastTold({ trace }: Simulation): readonly string[] {
  return trace.splice(0);
}
