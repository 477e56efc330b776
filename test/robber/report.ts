import { formatGwei } from 'viem';
import type { Cell } from './cells.ts';
import { describePlan } from './plan/describe-plan.ts';
import { type Findings, noteworthy } from './search/climb.ts';
import type { Tried } from './search/score.ts';

/** The most that a bundler gains whom the operator has not named, where bundlers are named: in gains of an honest one. */
export const maxGainOfStrangers = 0.01;

export type Row = { readonly cell: Cell; readonly findings: Findings };
type Ratio = 'lossRatio' | 'gainRatio';

/** The worst of each cell, as a table and in words. Costs are those of one operation. */
export function renderReport(rows: readonly Row[]): string {
  const lines = rows.map(({ cell, findings: { best, bestGain, paidReverted, paidUnknown, tries, refused } }) =>
    [
      cell.name.padEnd(82),
      ratioOf(best, 'lossRatio').padStart(8),
      (cell.most === undefined ? 'cap' : String(cell.most)).padStart(6),
      (best === undefined ? '-' : formatGwei(best.score.outcome.loss)).padStart(20),
      ratioOf(bestGain, 'gainRatio').padStart(8),
      (paidReverted === undefined ? '-' : 'yes').padStart(8),
      (paidUnknown === undefined ? '-' : 'yes').padStart(8),
      `${tries}/${refused}`.padStart(10),
    ].join(' '),
  );
  const head = [
    'cell'.padEnd(82),
    'cost'.padStart(8),
    'bound'.padStart(6),
    'in gwei'.padStart(20),
    ...['gain', 'reverted', 'unknown'].map((title) => title.padStart(8)),
    'refused'.padStart(10),
  ].join(' ');
  return [head, ...lines, '', ...rows.flatMap(describeRow)].join('\n');
}

function ratioOf(tried: Tried | undefined, ratio: Ratio): string {
  return tried === undefined ? '-' : tried.score[ratio].toFixed(2);
}

function describeRow({ cell, findings }: Row): readonly string[] {
  const { best, bestGain, paidReverted, paidUnknown, failed } = findings;
  const isAbove = best !== undefined && cell.most !== undefined && best.score.lossRatio > cell.most;
  const noted = [
    best && best.score.lossRatio > noteworthy && `${isAbove ? 'TOO MUCH, ' : ''}cost ${ratioOf(best, 'lossRatio')}`,
    bestGain && bestGain.score.gainRatio > noteworthy && `gain ${ratioOf(bestGain, 'gainRatio')}`,
    paidReverted && 'paid although a call reverted',
    paidUnknown && 'paid for unknown code',
  ];
  const plans = [best, bestGain, paidReverted, paidUnknown];
  const lines = noted.flatMap((title, index) => {
    const plan = plans[index]?.plan;
    if (!title || plan === undefined) return [];
    return [`  ${title}: ${describePlan(plan)}`, `    --plan '${JSON.stringify(plan)}'`];
  });
  return [cell.name, ...lines, ...failed.slice(0, 3).map((text) => `  could not be tried: ${text}`)];
}

/** Cells in which a bound is broken; where bundlers are named, also by a gain. */
export function findBroken(
  rows: readonly Row[],
  { namesBundlers }: { readonly namesBundlers: boolean },
): readonly Row[] {
  return rows.filter(({ cell: { most }, findings: { best, bestGain, paidReverted, paidUnknown } }) => {
    const isDear = best !== undefined && most !== undefined && best.score.lossRatio > most;
    const gains = namesBundlers && bestGain !== undefined && bestGain.score.gainRatio > maxGainOfStrangers;
    return isDear || gains || paidReverted !== undefined || paidUnknown !== undefined;
  });
}
