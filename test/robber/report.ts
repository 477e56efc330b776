import { describePlan } from './plan/describe-plan.ts';
import { type Findings, noteworthy } from './search/climb.ts';
import type { Tried } from './search/score.ts';

/** The highest gain in gains of an honest bundler. */
export const maxGainRatio = 2.5;
/** The same where the operator names its bundlers: the attacker is none of them. */
export const maxGainRatioOfStrangers = 0.01;

export type Row = { readonly cell: string; readonly findings: Findings };

/** The worst of each cell, as a table and in words. */
export function renderReport(rows: readonly Row[], most: number): string {
  const lines = rows.map(({ cell, findings: { best, bestLoss, paidReverted, paidUnknown, tries, refused } }) =>
    [
      cell.padEnd(62),
      ratioOf(best, 'gainRatio').padStart(8),
      ratioOf(bestLoss, 'lossRatio').padStart(8),
      (paidReverted === undefined ? '-' : 'yes').padStart(8),
      (paidUnknown === undefined ? '-' : 'yes').padStart(8),
      `${tries}/${refused}`.padStart(12),
    ].join(' '),
  );
  const head = [
    'cell'.padEnd(62),
    ...['gain', 'loss', 'reverted', 'unknown'].map((title) => title.padStart(8)),
    'tries/refused'.padStart(12),
  ].join(' ');
  return [head, ...lines, '', ...rows.flatMap((row) => describeRow(row, most))].join('\n');
}

function ratioOf(tried: Tried | undefined, ratio: 'gainRatio' | 'lossRatio'): string {
  return tried === undefined ? '-' : tried.score[ratio].toFixed(2);
}

function describeRow({ cell, findings }: Row, most: number): readonly string[] {
  const { best, bestLoss, paidReverted, paidUnknown, failed } = findings;
  const isAbove = best !== undefined && best.score.gainRatio > most;
  const noted = [
    best && best.score.gainRatio > noteworthy && `${isAbove ? 'TOO MUCH, ' : ''}gain ${ratioOf(best, 'gainRatio')}`,
    bestLoss && bestLoss.score.lossRatio > noteworthy && `loss ${ratioOf(bestLoss, 'lossRatio')}`,
    paidReverted && 'paid although a call reverted',
    paidUnknown && 'paid for unknown code',
  ];
  const plans = [best, bestLoss, paidReverted, paidUnknown];
  const lines = noted.flatMap((title, index) => {
    const plan = plans[index]?.plan;
    if (!title || plan === undefined) return [];
    return [`  ${title}: ${describePlan(plan)}`, `    --plan '${JSON.stringify(plan)}'`];
  });
  return [cell, ...lines, ...failed.slice(0, 3).map((text) => `  could not be tried: ${text}`)];
}

/** Cells in which a bound is broken. */
export function findBroken(rows: readonly Row[], most: number): readonly Row[] {
  return rows.filter(
    ({ findings: { best, paidReverted, paidUnknown } }) =>
      (best !== undefined && best.score.gainRatio > most) || paidReverted !== undefined || paidUnknown !== undefined,
  );
}
