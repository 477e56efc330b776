import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repeatsOfRun, rowsOfRun } from '../support/run/rows-of-run.ts';
import { cellNamed } from './cells.ts';
import { describePlan } from './plan/describe-plan.ts';
import { type Mutation, mutations } from './plan/mutations.ts';
import { rob } from './rob.ts';
import { openWorld, type World } from './world.ts';

const inner = 'append bytes to inner call data';
const spoiled = 'spoil the signature when asking';
const longer = 'lengthen the signature when asking';
const factory = 'append bytes to factory data';
const without = (...names: readonly string[]) => mutations.filter(({ name }) => !names.includes(name));
const only = (...names: readonly string[]) => mutations.filter(({ name }) => names.includes(name));

/** Each with a seed whose first tries find a way where there is one, and the changes that lead to it. */
const searches: readonly { readonly name: string; readonly seed: number; readonly allowed: readonly Mutation[] }[] = [
  {
    name: '0.7 SimpleAccount, pimlico-singleton-0.7, SPONSORED',
    seed: 1,
    allowed: only(spoiled, 'give callGasLimit', 'give preVerificationGas'),
  },
  { name: '0.7 Safe 1.4.1, pimlico-singleton-0.7, SPONSORED', seed: 1, allowed: without(inner) },
  { name: '0.6 SimpleAccount, pimlico-singleton-0.6, SPONSORED', seed: 3, allowed: mutations },
  {
    name: '0.8 Simple7702Account, pimlico-singleton-0.8, SPONSORED',
    seed: 4,
    allowed: without(inner, spoiled, longer),
  },
  {
    name: '0.8 delegated to unknown code, pimlico-singleton-0.8, SPONSORED',
    seed: 2,
    allowed: without(inner, factory, spoiled, longer),
  },
  { name: '0.7 Safe7579, relayed', seed: 5, allowed: only(longer) },
  {
    name: '0.7 Safe7579, pimlico-singleton-0.7, SPONSORED, longer signature',
    seed: 1,
    allowed: only('lengthen the signature when landing', 'bundle in another way', 'give verificationGasLimit'),
  },
];
const maxTries = repeatsOfRun(10, 20);

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

test.each(rowsOfRun(searches, 1))(
  'who searches $name costs the tank little, and has nothing paid that the service knows to be wrong',
  async (search) => {
    const cell = cellNamed(search.name);
    const [searched] = await rob(world, {
      cells: [cell],
      seed: search.seed,
      mutations: search.allowed,
      goesOn: (tries) => tries < maxTries,
    });
    const { best, paidReverted, paidUnknown, failed } = searched?.climb.findings() ?? {};
    expect(failed).toStrictEqual([]);
    expect(paidReverted && describePlan(paidReverted.plan)).toBeUndefined();
    expect(paidUnknown && describePlan(paidUnknown.plan)).toBeUndefined();
    expect(best?.score.lossRatio ?? 0, best && describePlan(best.plan)).toBeLessThanOrEqual(cell.most ?? 0);
  },
);
