import { type Mutation, mutate } from '../plan/mutations.ts';
import { honestPlan, type Plan } from '../plan/plan.ts';
import type { Random } from '../random.ts';
import type { Score, Scorer } from './score.ts';
import { holdsRatio, shrink } from './shrink.ts';

/** A plan and what came of it. */
export type Tried = { readonly plan: Plan; readonly score: Score };

/** What the search of one cell has found. */
export type Findings = {
  readonly tries: number;
  readonly refused: number;
  /** The plan with the highest gain. */
  readonly best: Tried | undefined;
  readonly bestLoss: Tried | undefined;
  readonly paidReverted: Tried | undefined;
  readonly paidUnknown: Tried | undefined;
  /** Plans that the robber could not try, with the error. */
  readonly failed: readonly string[];
};

const nothing: Findings = {
  tries: 0,
  refused: 0,
  best: undefined,
  bestLoss: undefined,
  paidReverted: undefined,
  paidUnknown: undefined,
  failed: [],
};

const seeds: readonly Plan[] = [
  honestPlan,
  { ...honestPlan, landing: { ...honestPlan.landing, bundler: 'contract' } },
  { ...honestPlan, operations: 5 },
];
/** Tries without a better plan after which the climb begins somewhere else. */
const patience = 50;
/** A lower ratio is what honest plans have. */
export const noteworthy = 1.2;
/** A plan that is worse by no more than this part may lead on. */
const nearlyAsGood = 0.01;

/** Climbs from honest plans to the ones that gain most. Each call of `step` tries one plan. */
export function createClimb(score: Scorer, random: Random, allowed: readonly Mutation[]) {
  let findings = nothing;
  let current: Tried | undefined;
  let sinceBetter = 0;
  let helped: readonly Mutation[] = [];
  let starts = 0;
  const begin = async () => {
    starts += 1;
    sinceBetter = 0;
    helped = [];
    const again = starts > seeds.length && starts % 2 === 0 ? findings.best?.plan : undefined;
    const plan = again ?? seeds[(starts - 1) % seeds.length] ?? honestPlan;
    return { plan, score: await score(plan) };
  };
  return {
    findings: () => findings,
    /** The same, each plan without what it does not need. */
    async shrunk(): Promise<Findings> {
      const { best, bestLoss, paidReverted, paidUnknown } = findings;
      return {
        ...findings,
        best: best && (await shrinkRatio(best, 'gainRatio')),
        bestLoss: bestLoss && (await shrinkRatio(bestLoss, 'lossRatio')),
        paidReverted: paidReverted && (await shrink(paidReverted, score, ({ outcome }) => outcome.paidReverted)),
        paidUnknown: paidUnknown && (await shrink(paidUnknown, score, ({ outcome }) => outcome.paidUnknown)),
      };
    },
    async step(): Promise<void> {
      current ??= note(await begin());
      const { plan, made } = mutate(current.plan, random, { allowed, helped });
      let tried: Tried;
      try {
        tried = note({ plan, score: await score(plan) });
      } catch (error) {
        const failed = [...findings.failed, `${String(error).slice(0, 300)} ${JSON.stringify(plan)}`];
        findings = { ...findings, failed };
        return;
      }
      const least = current.score.gainRatio;
      const isBetter =
        tried.score.outcome.state === 'landed' && tried.score.gainRatio > least + Math.abs(least) / 1_000;
      sinceBetter = isBetter ? 0 : sinceBetter + 1;
      if (isBetter) helped = made;
      const isNear = tried.score.gainRatio >= least - Math.abs(least) * nearlyAsGood;
      if (tried.score.outcome.state === 'landed' && isNear) current = tried;
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
      best: better(findings.best, (score) => score.gainRatio),
      bestLoss: better(findings.bestLoss, (score) => score.lossRatio),
      paidReverted: first(findings.paidReverted, outcome.paidReverted),
      paidUnknown: first(findings.paidUnknown, outcome.paidUnknown),
    };
    return tried;
  }
}

export type Climb = ReturnType<typeof createClimb>;
