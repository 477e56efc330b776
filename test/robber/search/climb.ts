import { createDeck, type Mutation, mutate } from '../plan/mutations.ts';
import { honestPlan, type LimitChanges, type Plan, sameLimits } from '../plan/plan.ts';
import type { Random } from '../random.ts';
import type { Score, Scorer, Tried } from './score.ts';
import { holdsRatio, shrink } from './shrink.ts';

/** What the search of one cell has found. */
export type Findings = {
  readonly tries: number;
  readonly refused: number;
  /** The plan that costs the tank most. */
  readonly best: Tried | undefined;
  readonly bestGain: Tried | undefined;
  readonly paidReverted: Tried | undefined;
  readonly paidUnknown: Tried | undefined;
  /** Plans that the robber could not try, with the error. */
  readonly failed: readonly string[];
};

const nothing: Findings = {
  tries: 0,
  refused: 0,
  best: undefined,
  bestGain: undefined,
  paidReverted: undefined,
  paidUnknown: undefined,
  failed: [],
};

/** About as much as is signed of each limit, where a new slot costs so much more than on mainnet. */
function mostLimits(more: number): LimitChanges {
  return {
    ...sameLimits,
    callGasLimit: { percent: 118, add: 98_000 + more },
    verificationGasLimit: { percent: 118, add: 148_000 + more },
    preVerificationGas: { percent: 110, add: 4_000 },
  };
}

const plansToBegin = (more: number): readonly Plan[] => [
  { ...honestPlan, asking: { ...honestPlan.asking, given: mostLimits(more), method: 'pm_getPaymasterData' } },
  { ...honestPlan, landing: { ...honestPlan.landing, bundler: 'contract' } },
  { ...honestPlan, operations: 5, asking: { ...honestPlan.asking, given: sameLimits } },
  {
    ...honestPlan,
    operation: { ...honestPlan.operation, account: 'each' },
    landing: { ...honestPlan.landing, bundler: 'contract' },
  },
];
/** Tries without a better plan after which the climb begins somewhere else. */
const patience = 50;
/** Of what does not land: any plan that lands is better. */
const worstRatio = -1_000_000;
/** A lower ratio is what honest plans have. */
export const noteworthy = 1.2;
/** A plan that is worse by no more than this part may lead on. */
const nearlyAsGood = 0.01;

/** How a climb is made. `more`: what a new slot costs more than on mainnet, in gas. */
type Climbing = { readonly random: Random; readonly allowed: readonly Mutation[]; readonly more: number };

/** Climbs from honest plans to the ones that cost the tank most. Each call of `step` tries one plan. */
export function createClimb(score: Scorer, { random, allowed, more }: Climbing) {
  const seeds = plansToBegin(more);
  const deck = createDeck(allowed, random);
  let findings = nothing;
  let current: Tried | undefined;
  let sinceBetter = 0;
  let helped: readonly Mutation[] = [];
  let starts = 0;
  const begin = async (): Promise<Tried> => {
    sinceBetter = 0;
    helped = [];
    // Some cannot land: EntryPoint 0.9 takes no bundle from a contract. One that is refused is a place to begin.
    for (let left = seeds.length; ; left -= 1) {
      starts += 1;
      const again = starts > seeds.length && starts % 2 === 0 ? findings.best?.plan : undefined;
      const plan = again ?? seeds[(starts - 1) % seeds.length] ?? honestPlan;
      const tried = note({ plan, score: await score(plan) });
      if (tried.score.outcome.state !== 'not landed' || left <= 1) return tried;
    }
  };
  return {
    findings: () => findings,
    /** The findings, each plan without the parts that its result does not need. */
    async shrunk(): Promise<Findings> {
      const { best, bestGain, paidReverted, paidUnknown } = findings;
      return {
        ...findings,
        best: best && (await shrinkRatio(best, 'lossRatio')),
        bestGain: bestGain && (await shrinkRatio(bestGain, 'gainRatio')),
        paidReverted: paidReverted && (await shrink(paidReverted, score, ({ outcome }) => outcome.paidReverted)),
        paidUnknown: paidUnknown && (await shrink(paidUnknown, score, ({ outcome }) => outcome.paidUnknown)),
      };
    },
    async step(): Promise<void> {
      current ??= await begin();
      const { plan, made } = mutate(current.plan, random, () => deck.draw(helped));
      let tried: Tried;
      try {
        tried = note({ plan, score: await score(plan) });
      } catch (error) {
        const failed = [...findings.failed, `${String(error).slice(0, 300)} ${JSON.stringify(plan)}`];
        findings = { ...findings, failed };
        return;
      }
      const isLanded = tried.score.outcome.state === 'landed';
      const least = current.score.outcome.state === 'landed' ? current.score.lossRatio : worstRatio;
      const isBetter = isLanded && tried.score.lossRatio > least + Math.abs(least) / 1_000;
      sinceBetter = isBetter ? 0 : sinceBetter + 1;
      if (isBetter) helped = made;
      const isNear = tried.score.lossRatio >= least - Math.abs(least) * nearlyAsGood;
      if (isLanded && isNear) current = tried;
      if (sinceBetter > patience) current = undefined;
    },
  };

  function shrinkRatio(tried: Tried, ratio: 'gainRatio' | 'lossRatio'): Promise<Tried> | Tried {
    return tried.score[ratio] < noteworthy ? tried : shrink(tried, score, holdsRatio(ratio, tried));
  }

  function note(tried: Tried): Tried {
    const { outcome } = tried.score;
    const better = (known: Tried | undefined, value: (score: Score) => number) =>
      outcome.state === 'landed' && (known === undefined || value(tried.score) > value(known.score)) ? tried : known;
    const first = (known: Tried | undefined, isOne: boolean) => (isOne && known === undefined ? tried : known);
    findings = {
      ...findings,
      tries: findings.tries + 1,
      refused: findings.refused + (outcome.state === 'refused' ? 1 : 0),
      best: better(findings.best, (score) => score.lossRatio),
      bestGain: better(findings.bestGain, (score) => score.gainRatio),
      paidReverted: first(findings.paidReverted, outcome.paidReverted),
      paidUnknown: first(findings.paidUnknown, outcome.paidUnknown),
    };
    return tried;
  }
}

export type Climb = ReturnType<typeof createClimb>;
