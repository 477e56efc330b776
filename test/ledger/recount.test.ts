import { describe, expect, test } from 'vitest';
import { withFault } from '../support/run/run-with-faults.ts';
import { plantedFaults } from './recount/planted-faults.ts';
import { addUp, runRecount, type Tally, tableOf } from './recount/run-recount.ts';

// `RECOUNT_ROUNDS=60` runs as many rounds. Without it, some are run that reach every rule together.
const { RECOUNT_ROUNDS = '' } = process.env;
const isLong = RECOUNT_ROUNDS !== '';
const seeds = isLong ? Array.from({ length: Number(RECOUNT_ROUNDS) }, (_, index) => index + 1) : [2, 5, 9];
const steps = 300;

/** Rules that only refuse, or are only noted where they let a request through. */
const refusing = ['a limit of unknown calls', 'a limit without a price', 'a budget without a price', 'asked at once'];
const passing = ['granted before', 'answered before'];
const bothWays = [
  ...['sender', 'subject', 'total', 'key', 'ticket'].flatMap((per) =>
    ['operations', 'wei', 'usdMicros'].map((unit) => `limit per ${per} in ${unit}`),
  ),
  ...['contract', 'method'].flatMap((of) => ['operations', 'wei'].map((unit) => `limit of a ${of} in ${unit}`)),
  ...['named policy', 'forgotten ticket', 'budget of an account', 'funds', 'the other way', 'unpaid'],
  ...['sender', 'client', 'relayed', 'withoutExpiry', 'lastingLong'].map((whose) => `open ${whose}`),
  ...['day', 'month', 'client'].map((of) => `vendor ${of}`),
];
const happening = [
  ...['joined', 'joined in the same batch', 'moved to a later time', 'taken over by another client', 'only tried'],
  ...['landed', 'landed late', 'landed unpaid', 'landed with a share', 'landed without a hold', 'replaced'],
  ...['rolled back: standing', 'rolled back: releasedAgain', 'rolled back: covered', 'unpaid no longer counted'],
  ...['another paymaster: answered', 'another paymaster: given back', 'another paymaster: answered too late'],
  ...['counts of windows pruned', 'tickets forgotten', 'holds archived', 'clock set back'],
  ...['a limit was set', 'a limit was removed', 'a limit was removed and set again', 'released by the operator'],
];
/** Not in a few rounds. */
const seldom = ['rolled back after archiving', 'rollback behind the archive refused'];

/** A few rounds reach each limit in some unit. */
const nameOf = (rule: string) => (isLong ? rule : rule.replace(/ in (operations|wei|usdMicros)$/, ''));

/** Rules and events that were not reached so often. */
function missing({ decided, happened }: Tally, least: number): readonly string[] {
  const reached = new Map(happened);
  const add = (what: string, times: number) => reached.set(what, (reached.get(what) ?? 0) + times);
  for (const [rule, { passed, refused }] of decided) {
    add(`${nameOf(rule)}: let through`, passed);
    add(`${nameOf(rule)}: refused`, refused);
  }
  const expected = [
    ...[...bothWays, ...passing].map((rule) => `${nameOf(rule)}: let through`),
    ...[...bothWays, ...refusing].map((rule) => `${nameOf(rule)}: refused`),
    ...happening,
    ...(isLong ? seldom : []),
  ];
  return expected.filter((what) => (reached.get(what) ?? 0) < least);
}

test('a model that recounts a list of operations decides every request as the service does', {
  timeout: 3_600_000,
}, async () => {
  const tallies: Tally[] = [];
  for (const seed of seeds) tallies.push(await runRecount({ seed, steps }));
  const all = addUp(tallies);
  console.log(tableOf(all));
  // A rule that was not reached either way shows nothing.
  expect(missing(all, Math.max(1, seeds.length / 12))).toEqual([]);
});

describe('a mistake can be planted in the sources as they are:', () => {
  test.each(plantedFaults)('$name', (fault) => {
    expect(withFault(fault)).not.toBe('');
  });
});
