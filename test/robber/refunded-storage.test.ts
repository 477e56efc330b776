import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { cellNamed, costlyMethodCells, upgradedCells } from './cells.ts';
import { honestPlan, type Plan, sameLimits } from './plan/plan.ts';
import { openTarget, seePrices } from './search/open-target.ts';
import { createScorer } from './search/score.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({
    baseFee: parseGwei('20'),
    tip: parseGwei('1'),
    allFamilies: false,
    namesBundlers: false,
    asksBundler: false,
  });
});
afterAll(() => world.close());

/** Asks with limits that are a part of the estimate and gas on top, by a method whose answer has none. */
function withRoom(percent: number, call: number, verification: number): Plan {
  const given = {
    ...sameLimits,
    callGasLimit: { percent, add: call },
    verificationGasLimit: { percent, add: verification },
  };
  return { ...honestPlan, asking: { ...honestPlan.asking, method: 'pm_getPaymasterData', given } };
}

test.each(rowsOfRun([...upgradedCells], 2))(
  '$name costs the tank no more than its bound, with the most that is signed',
  async (cell) => {
    const score = createScorer(await openTarget(world, cell));
    await seePrices(world);
    const { outcome, lossRatio } = await score(withRoom(118, 98_000, 148_000));
    expect(outcome.state).toBe('landed');
    expect(lossRatio).toBeGreaterThan(1);
    expect(lossRatio).toBeLessThanOrEqual(cell.most ?? 0);
    const more = await score(withRoom(118, 98_000, 1_000_000));
    expect(more.outcome).toMatchObject({ state: 'refused', refusal: 'LIMIT_EXCEEDED' });
  },
);

/** Slots that a validator of the attacker's, and a contract of theirs, set and clear: more than the caps have gas for. */
const many = { inValidation: 60, inCall: 400 };

test('a validator of the sender’s, and a contract that a sponsored method calls, are bounded by the caps per operation', async () => {
  const cell = cellNamed('0.7 Nexus with own validator, pimlico-singleton-0.7, SPONSORED');
  const validator = createScorer(await openTarget(world, cell));
  await seePrices(world);
  const work = { slots: many.inValidation, kilogas: 0 };
  const { asking, landing, operation } = honestPlan;
  const { outcome } = await validator({ ...honestPlan, asking: { ...asking, work }, landing: { ...landing, work } });
  expect(outcome).toMatchObject({ state: 'refused', refusal: 'LIMIT_EXCEEDED' });
  const [called = expect.fail()] = costlyMethodCells;
  const method = createScorer(await openTarget(world, called));
  const dear = await method({ ...honestPlan, operation: { ...operation, slots: many.inCall } });
  expect(dear.outcome).toMatchObject({ state: 'refused', refusal: 'LIMIT_EXCEEDED' });
});

test('a Coinbase wallet may have the 800,000 gas for its verification that viem sends, and no more', async () => {
  const cell = cellNamed('0.6 Coinbase Smart Wallet 1, pimlico-singleton-0.6, SPONSORED');
  const score = createScorer(await openTarget(world, cell));
  await seePrices(world);
  const ask = (add: number) => {
    const given = { ...sameLimits, verificationGasLimit: { percent: 0, add } };
    return score({ ...honestPlan, asking: { ...honestPlan.asking, method: 'pm_getPaymasterData', given } });
  };
  expect((await ask(800_000)).outcome.state).toBe('landed');
  expect((await ask(800_001)).outcome).toMatchObject({ state: 'refused', refusal: 'LIMIT_EXCEEDED' });
});
