import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { cellNamed, upgradedCells } from './cells.ts';
import { honestPlan, noWork, type Plan, sameLimits, type Work } from './plan/plan.ts';
import { maxGainRatio } from './report.ts';
import { openTarget, seePrices } from './search/open-target.ts';
import { createScorer } from './search/score.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ baseFee: parseGwei('20'), allFamilies: false, namesBundlers: false });
});
afterAll(() => world.close());

/** A validator sets and clears storage: the tank pays for the gas, and the chain returns a fifth of it to the bundler. */
function working(asking: Work, landing: Work, verificationGas = 0): Plan {
  const given = { ...sameLimits, verificationGasLimit: { percent: 0, add: verificationGas } };
  return {
    ...honestPlan,
    operations: 5,
    asking: { ...honestPlan.asking, work: asking, ...(verificationGas === 0 ? {} : { given }) },
    landing: { ...honestPlan.landing, work: landing },
  };
}

const much = { slots: 30, kilogas: 0 };
const little = { slots: 1, kilogas: 0 };

test.each(rowsOfRun(['0.7 Kernel 3.1', '0.7 Nexus', '0.6 Biconomy 2'], 1))(
  'a validator of the sender of %s earns little by setting and clearing storage',
  async (account) => {
    const version = account.slice(0, 3);
    const cell = cellNamed(`${account} with own validator, pimlico-singleton-${version}, SPONSORED`);
    const score = createScorer(await openTarget(world, cell));
    await seePrices(world);
    const visible = await score(working(much, much));
    expect(visible.outcome).toMatchObject({ state: 'refused', refusal: 'LIMIT_EXCEEDED' });
    // The limit is lowered, and the validator runs out of gas: the attacker has paid for the bundle.
    const hidden = await score(working(noWork, much, 800_000));
    expect(hidden.outcome.state).toBe('not landed');
    expect(hidden.outcome.gain).toBeLessThan(0n);
    const { outcome, gainRatio } = await score(working(noWork, little, 100_000));
    expect(outcome.state).toBe('landed');
    expect(gainRatio).toBeLessThanOrEqual(maxGainRatio);
  },
);

test.each(rowsOfRun(['Kernel 3.1', 'Nexus'], 1))(
  '%s is not sponsored while a hook of the sender runs with its calls',
  async (account) => {
    const cell = cellNamed(`0.7 ${account} with own hook, pimlico-singleton-0.7, SPONSORED`);
    const { attacked, honest } = await openTarget(world, cell);
    await seePrices(world);
    const plan = { ...honestPlan, operations: 5 };
    const { outcome, gainRatio } = await createScorer({ attacked, honest })(plan);
    expect({ ...outcome, gainRatio }).toMatchObject({ state: 'refused', refusal: 'ACCOUNT_NOT_KNOWN', gainRatio: 0 });
    const withoutHook = await createScorer({ attacked: honest, honest })(plan);
    expect(withoutHook.outcome.state).toBe('landed');
  },
);

/** Gives call limits that have some room, and as much as clients of other accounts have. */
function withCallRoom(add: number, verificationGas: number, work: Work): Plan {
  const given = {
    ...sameLimits,
    callGasLimit: { percent: 100, add },
    verificationGasLimit: { percent: 100, add: verificationGas },
  };
  return {
    ...honestPlan,
    operations: 5,
    asking: { ...honestPlan.asking, given },
    landing: { ...honestPlan.landing, work },
  };
}

const hiddenHooks = [
  { account: 'Nexus', slots: 2 },
  { account: 'Kernel 3.1', slots: 0 },
];

test.each(rowsOfRun(hiddenHooks, 0))(
  'a hook of $account that shows itself in the bundle alone earns little',
  async ({ account, slots }) => {
    const cell = cellNamed(`0.7 ${account} with hidden hook, pimlico-singleton-0.7, SPONSORED`);
    const score = createScorer(await openTarget(world, cell));
    await seePrices(world);
    const fitting = await score(withCallRoom(10_000, slots * 22_300, { slots, kilogas: 0 }));
    expect(fitting.outcome.state).toBe('landed');
    expect(fitting.gainRatio).toBeLessThanOrEqual(maxGainRatio);
    // More room than there is becomes our own estimate.
    const lowered = await score(withCallRoom(149_000, 0, noWork));
    expect(lowered.outcome.state).toBe('landed');
    expect(lowered.gainRatio).toBeLessThanOrEqual(maxGainRatio);
  },
);

/** No slot fits into the room of a single call. */
const mostWithoutSlots = 1.5;

test('a hook that is installed in validation and removed in the call finds no room', async () => {
  const cell = cellNamed('0.7 Nexus with installed hook, pimlico-singleton-0.7, SPONSORED');
  const score = createScorer(await openTarget(world, cell));
  await seePrices(world);
  const { outcome, gainRatio } = await score(withCallRoom(10_000, 44_000, noWork));
  expect(outcome.state).toBe('landed');
  expect(gainRatio).toBeLessThanOrEqual(mostWithoutSlots);
  const lowered = await score(withCallRoom(149_000, 44_000, noWork));
  expect(lowered.gainRatio).toBeLessThanOrEqual(mostWithoutSlots);
});

/** What new code takes with the room that clients have above the estimate. */
const mostOfChangedCode = 4;

test.each(rowsOfRun(['0.9', '0.7'] as const, 0))(
  'a SimpleAccount %s that is upgraded after the signature takes no more than the limits allow',
  async (version) => {
    const cell = upgradedCells.find(({ account }) => account.version === version) ?? expect.fail();
    const score = createScorer(await openTarget(world, cell));
    await seePrices(world);
    const withRoom = (verificationGas: number): Plan => {
      const room = { percent: 110, add: 149_000 };
      const given = { ...sameLimits, callGasLimit: room, verificationGasLimit: { ...room, add: verificationGas } };
      return { ...honestPlan, operations: 5, asking: { ...honestPlan.asking, given } };
    };
    // More room than there is becomes our own estimate.
    for (const room of [149_000, 800_000]) {
      const { outcome, gainRatio } = await score(withRoom(room));
      expect(outcome.state).toBe('landed');
      expect(gainRatio).toBeLessThanOrEqual(mostOfChangedCode);
    }
  },
);
