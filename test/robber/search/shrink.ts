import { type Asking, honestAsking, honestPlan, limitNames, type Plan, sameLimit } from '../plan/plan.ts';
import type { Score, Scorer, Tried } from './score.ts';

/** What of a ratio a simpler plan has to reach. */
const nearlyAll = 0.97;

/** A plan has some twenty differences at most. */
const maxTries = 60;

/** Takes out of a plan what its result does not need. */
export async function shrink(tried: Tried, score: Scorer, holds: (score: Score) => boolean): Promise<Tried> {
  let best = tried;
  let left = maxTries;
  for (let isSimpler = true; isSimpler; ) {
    isSimpler = false;
    for (const plan of simplerPlans(best.plan)) {
      if (left === 0) return best;
      left -= 1;
      const found = await score(plan).catch(() => undefined);
      if (found?.outcome.state !== 'landed' || !holds(found)) continue;
      best = { plan, score: found };
      isSimpler = true;
      break;
    }
  }
  return best;
}

/** Whether a score has nearly the ratio of another one. */
export function holdsRatio(ratio: 'gainRatio' | 'lossRatio', { score }: Tried): (score: Score) => boolean {
  return (found) => found[ratio] >= score[ratio] * nearlyAll;
}

/** Each with one difference from the honest plan less. */
function simplerPlans(plan: Plan): readonly Plan[] {
  const before = plan.before.map((_, index) => ({
    ...plan,
    before: plan.before.filter((__, other) => other !== index),
  }));
  const operations = plan.operations === 1 ? [] : [{ ...plan, operations: 1 }];
  return [
    ...before,
    ...operations,
    ...simplerAskings(plan.asking).map((asking) => ({ ...plan, asking })),
    ...simplerFields(plan.operation, honestPlan.operation).map((operation) => ({ ...plan, operation })),
    ...simplerFields(plan.landing, honestPlan.landing).map((landing) => ({ ...plan, landing })),
    ...plan.before.flatMap((asking, index) =>
      simplerAskings(asking).map((simpler) => ({ ...plan, before: plan.before.with(index, simpler) })),
    ),
  ];
}

function simplerAskings({ given, ...asking }: Asking): readonly Asking[] {
  const simpler = simplerFields(asking, honestAsking);
  if (given === undefined) return simpler;
  const limits = limitNames
    .filter((limit) => given[limit].percent !== 100 || given[limit].add !== 0)
    .map((limit) => ({ ...asking, given: { ...given, [limit]: sameLimit } }));
  return [asking, ...limits, ...simpler.map((fields) => ({ ...fields, given }))];
}

function simplerFields<T extends object>(fields: T, honest: T): readonly T[] {
  return Object.entries(fields)
    .map(([name, value]) => [name, value, Reflect.get(honest, name)] as const)
    .filter(([, value, usual]) => JSON.stringify(value) !== JSON.stringify(usual))
    .map(([name, , usual]) => ({ ...fields, [name]: usual }));
}
