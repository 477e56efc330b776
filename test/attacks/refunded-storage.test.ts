import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cellNamed } from '../robber/cells.ts';
import { honestPlan, noWork, type Plan, sameLimits, type Work } from '../robber/plan/plan.ts';
import { maxGainRatio } from '../robber/report.ts';
import { openTarget, seePrices } from '../robber/search/open-target.ts';
import { createScorer } from '../robber/search/score.ts';
import { openWorld, type World } from '../robber/world.ts';

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

test.each(['0.7 Kernel 3.1', '0.7 Nexus', '0.6 Biconomy 2'])(
  'a validator of the sender of %s earns little by setting and clearing storage',
  async (account) => {
    const version = account.slice(0, 3);
    const cell = cellNamed(`${account} with own validator, pimlico-singleton-${version}, SPONSORED`);
    const score = createScorer(await openTarget(world, cell));
    await seePrices(world);
    for (const plan of [working(much, much), working(noWork, much, 800_000)]) {
      expect((await score(plan)).outcome).toMatchObject({ state: 'refused', refusal: 'LIMIT_EXCEEDED' });
    }
    const { outcome, gainRatio } = await score(working(noWork, little, 100_000));
    expect(outcome.state).toBe('landed');
    expect(gainRatio).toBeLessThanOrEqual(maxGainRatio);
  },
);
