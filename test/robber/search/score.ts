import type { OpenCell } from '../open-cell.ts';
import { honestPlan, type Plan } from '../plan/plan.ts';
import { type Outcome, tryPlan } from '../try-plan.ts';
import { seePrices, type Target } from './open-target.ts';

/** How a plan compares with the same useful calls of an honest sender in an honest bundle. */
export type Score = {
  readonly outcome: Outcome;
  /** The attacker's gain in gains of an honest bundler; negative for who pays, 0 where nothing landed. */
  readonly gainRatio: number;
  /** What the tank lost in what it loses to an honest sender; at most 1 where it cost the attacker more than the tank. */
  readonly lossRatio: number;
};

/** A plan and what came of it. */
export type Tried = { readonly plan: Plan; readonly score: Score };

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
    const there = await measure(honestPlanFor(plan, 'there'));
    const { account } = plan.operation;
    const makes = account === 'each' || account === 'first';
    const each = makes ? await measure(honestPlanFor(plan, 'each')) : there;
    const count = BigInt(plan.operations + outcome.company);
    const made = account === 'first' ? 1n : BigInt(plan.operations);
    const usual = (name: 'gain' | 'loss') => (made * each[name] + (count - made) * there[name]) / count;
    const lossRatio = ratio(outcome.loss, usual('loss'));
    // Bytes that only burn gas cost who publishes them many times what they cost the tank.
    const isDearer = -outcome.gain > outcome.loss - usual('loss');
    return {
      outcome,
      gainRatio: ratio(outcome.gain, usual('gain')),
      lossRatio: isDearer ? Math.min(lossRatio, 1) : lossRatio,
    };
  };
}

export type Scorer = ReturnType<typeof createScorer>;

/** One operation with the same calls in a bundle of its own, which is what most bundles have. */
function honestPlanFor({ operation: { calls, method } }: Plan, account: 'there' | 'each'): Plan {
  return { ...honestPlan, operation: { ...honestPlan.operation, calls, method, account } };
}

/** How often an honest plan is tried that does not land at once: on a busy machine the service may not have seen the latest blocks yet. */
const maxHonestTries = 10;

async function measureHonest(open: OpenCell, plan: Plan): Promise<Outcome> {
  let outcome = await tryPlan(open, plan);
  for (let left = maxHonestTries; outcome.state !== 'landed' && left > 0; left -= 1) {
    await seePrices(open.world);
    outcome = await tryPlan(open, plan);
  }
  if (outcome.state !== 'landed')
    throw new Error(`An honest operation of ${open.cell.name} does not land: ${outcome.refusal}`);
  // In token mode the sender pays for the gas, and the bundler's gain is part of that.
  return open.token === undefined ? outcome : { ...outcome, gain: outcome.bundled, loss: outcome.deposited };
}

function ratio(own: bigint, honest: bigint): number {
  if (honest <= 0n) return own <= 0n ? 0 : Number.POSITIVE_INFINITY;
  return Number((own * factor) / honest) / Number(factor);
}
