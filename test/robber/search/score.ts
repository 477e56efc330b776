import type { OpenCell } from '../open-cell.ts';
import { honestPlan, type Plan } from '../plan/plan.ts';
import { type Outcome, tryPlan } from '../try-plan.ts';
import type { Target } from './open-target.ts';

/** How a plan compares with the same useful calls of an honest sender in an honest bundle. */
export type Score = {
  readonly outcome: Outcome;
  /** The attacker's gain in gains of an honest bundler; negative for who pays, 0 where nothing landed. */
  readonly gainRatio: number;
  /** What the tank lost in what it loses to an honest sender. */
  readonly lossRatio: number;
};

/** A plan and what came of it. */
export type Tried = { readonly plan: Plan; readonly score: Score };

/** So many operations share the cost of an honest bundle. */
const honestBundle = 5;
const factor = 10_000n;

/** Measures plans, and remembers what honest ones gain. */
export function createScorer({ attacked, honest }: Target) {
  const known = new Map<string, Promise<Outcome>>();
  const measure = (plan: Plan) => {
    const key = JSON.stringify(plan);
    const measured = known.get(key) ?? measureHonest(honest, plan);
    known.set(key, measured);
    return measured;
  };
  return async (plan: Plan): Promise<Score> => {
    const outcome = await tryPlan(attacked, plan);
    if (outcome.state !== 'landed') return { outcome, gainRatio: 0, lossRatio: 0 };
    const usual = await measure(honestPlanFor(plan));
    // An honest sender may offer another price too, but a low one makes no other gain high.
    const same = await measure(honestPlanFor(plan, plan.operation));
    const gain = same.gain > usual.gain ? same.gain : usual.gain;
    const loss = same.loss > usual.loss ? same.loss : usual.loss;
    return { outcome, gainRatio: ratio(outcome.gain, gain), lossRatio: ratio(outcome.loss, loss) };
  };
}

export type Scorer = ReturnType<typeof createScorer>;

function honestPlanFor(
  { operation: { calls, account } }: Plan,
  { tipPercent, feePercent }: Pick<Plan['operation'], 'tipPercent' | 'feePercent'> = honestPlan.operation,
): Plan {
  const useful = account === 'each' ? account : 'there';
  const operation = { ...honestPlan.operation, calls, account: useful, tipPercent, feePercent } as const;
  return { ...honestPlan, operations: honestBundle, operation };
}

/** Where a paymaster takes one operation of a sender in a bundle, an honest bundle has one. */
async function measureHonest(open: OpenCell, plan: Plan): Promise<Outcome> {
  const several = await tryPlan(open, plan);
  const outcome = several.state === 'landed' ? several : await tryPlan(open, { ...plan, operations: 1 });
  // In token mode the sender pays for the gas, and the bundler's gain is part of that.
  return open.token === undefined ? outcome : { ...outcome, gain: outcome.bundled, loss: outcome.deposited };
}

function ratio(own: bigint, honest: bigint): number {
  return honest <= 0n ? Number.POSITIVE_INFINITY : Number((own * factor) / honest) / Number(factor);
}
