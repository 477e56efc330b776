import { holdBatch, tryHold } from '../../../core/ledger/holds/hold-batch.ts';
import type { HoldOutcome, HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import type { Ruling } from '../../../core/policies/rules/ruling.ts';
import { type Decided, decide, placeOf, type Said } from './decide.ts';
import { accept } from './follow.ts';
import { change, isSamePlace } from './model.ts';
import type { Asked, Operation } from './operations.ts';
import { nextRequest, type Sent } from './random-requests.ts';
import { note, timeOf, type World } from './world.ts';

/** Some requests in one transaction, or one that is only tried. */
export async function ask(world: World): Promise<void> {
  const { random, store } = world;
  const asked: Sent[] = [];
  for (let left = random.between(1, 6); left > 0; left -= 1) asked.push(nextRequest(world, asked));
  const now = timeOf(world);
  const [first] = asked;
  if (first !== undefined && random.chance(12)) {
    const expected = decide(world.model, first, { now, noted: new Set() });
    compare(first, expected, await store.transaction((transaction) => tryHold(transaction, first.request, now)));
    note(world, 'only tried');
    return;
  }
  const noted = new Set<string>();
  const expected = asked.map((one) => decideInTurn(world, one, { now, noted }));
  const requests = asked.map(({ request }) => request);
  const outcomes = await store.transaction((transaction) => holdBatch(transaction, requests, now));
  for (const [index, one] of asked.entries()) {
    const [decided, outcome] = [expected[index], outcomes[index]];
    if (decided === undefined || outcome === undefined) throw new Error('A request was left undecided.');
    compare(one, decided, outcome);
    if (outcome.kind === 'held') number(world, one.request, outcome);
  }
}

/** Decides a request in the model, in which it counts for those after it in the batch. */
function decideInTurn(world: World, asked: Asked, at: { readonly now: number; readonly noted: Set<string> }): Decided {
  const { model } = world;
  const { request } = asked;
  const live = model.operations.find((one) => one.state === 'live' && isSamePlace(one, request));
  const decided = decide(model, asked, at);
  for (const said of decided.said) noteRule(world, said);
  if (decided.after === undefined) return decided;
  noteJoin(world, { live, after: decided.after });
  accept(model, request, decided);
  const isAgain = decided.said.some(({ rule }) => rule === 'granted before');
  if (!isAgain && (request.landing?.otherPayers.length ?? 0) > 0) at.noted.add(placeOf(request));
  return decided;
}

function noteRule({ decided }: World, { rule, refusal }: Said): void {
  const name = tableName(rule);
  const times = decided.get(name) ?? { passed: 0, refused: 0 };
  times[refusal === undefined ? 'passed' : 'refused'] += 1;
  decided.set(name, times);
}

/** What the table of decisions calls a rule: a limit by whom it is for and what it counts. */
function tableName(rule: string): string {
  const [kind, per = '', , unit, called] = rule.split(' ');
  if (kind === 'budget') return 'budget of an account';
  if (kind !== 'limit') return rule;
  if (called === undefined) return `limit per ${per} in ${unit}`;
  return `limit of a ${called.includes('/') ? 'method' : 'contract'} in ${unit}`;
}

function noteJoin(
  world: World,
  { live, after }: { readonly live: Operation | undefined; readonly after: Operation },
): void {
  if (live === undefined) return;
  note(world, live.holdId <= 0 ? 'joined in the same batch' : 'joined');
  if (live.client !== after.client) note(world, 'taken over by another client');
  if (live.sponsored !== undefined && after.sponsored !== undefined && live.sponsored.at !== after.sponsored.at)
    note(world, 'moved to a later time');
}

/** The number of a hold is known once it is written. */
function number(
  world: World,
  request: HoldRequest,
  { holdId, vendor }: Extract<HoldOutcome, { readonly kind: 'held' }>,
): void {
  const operation = world.model.operations.find((one) => one.state === 'live' && isSamePlace(one, request));
  if (operation === undefined) throw new Error(`The model has no hold ${holdId}.`);
  if (operation.holdId <= 0) change(world.model, operation, { holdId });
  else if (operation.holdId !== holdId)
    throw new Error(`A request got hold ${holdId}, by the model ${operation.holdId}.`);
  if (vendor === undefined || vendor.answer !== undefined) return;
  world.questions.push({ holdId, requestKey: request.requestKey, added: vendor.added, askedUntil: vendor.askedUntil });
}

/** @throws Error that says in which words service and model differ. */
function compare(sent: Sent, decided: Decided, outcome: HoldOutcome): void {
  const { request } = sent;
  const [service, model] = [wordsOf(sent, outcome), modelWordsOf(decided)];
  if (service === model) return;
  throw new Error(
    `Decided differently.\n  service: ${service}\n  model:   ${model}\n  request: ${JSON.stringify(request, inText)}`,
  );
}

function inText(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Map ? [...value] : value;
}

function modelWordsOf({ kind, said, again }: Decided): string {
  const words = said.flatMap(({ rule, sum, refusal }) => {
    if (sum === '' && refusal === undefined) return [];
    return [
      [sum === '' ? '' : `${rule}: ${sum}`, refusal].filter((word) => word !== undefined && word !== '').join(' '),
    ];
  });
  return [kind, ...(again === undefined ? [] : [again]), ...words].join(' | ');
}

/** What the service says, in the words of the model. */
function wordsOf({ heard }: Sent, outcome: HoldOutcome): string {
  if (outcome.kind === 'busy' || outcome.kind === 'changed') return outcome.kind;
  const again = outcome.kind === 'held' ? (outcome.terms ?? outcome.vendor?.answer) : undefined;
  const rulings = outcome.kind === 'held' ? heard.rulings : outcome.rulings;
  const words = rulings.flatMap((ruling) => {
    const sum = sumOfRuling(ruling);
    const refusal = refusalOf(ruling);
    return sum === undefined && refusal === undefined
      ? []
      : [[sum, refusal].filter((word) => word !== undefined).join(' ')];
  });
  if (outcome.kind === 'unfunded') words.push(`unfunded ${outcome.available}`);
  return [outcome.kind, ...(again === undefined ? [] : [again]), ...words].join(' | ');
}

/** What a ruling added up, as the model says it; undefined for one that adds nothing up. */
function sumOfRuling({ finding }: Ruling): string | undefined {
  switch (finding[0]) {
    case 'limit': {
      const [, per, window, unit, max, used, asked, contract, method] = finding;
      const called = contract === undefined ? [] : [method === undefined ? contract : `${contract}/${method}`];
      return `${['limit', per, window, unit, ...called].join(' ')}: ${used + asked} of ${max}`;
    }
    case 'account-budget': {
      const [, name, , max, used, asked] = finding;
      return asked === undefined ? undefined : `budget ${name}: ${used + asked} of ${max}`;
    }
    case 'operator-holds': {
      const [, of, amount, count] = finding;
      return count === undefined ? `open ${of}: ${amount}` : `open ${of}: ${count} of ${amount}`;
    }
    case 'operator-unpaid':
      return `unpaid: ${finding[1]} and ${finding[2]}`;
    case 'vendor-budget': {
      const [, of, added, max, used] = finding;
      return `vendor ${of}: ${used + added} of ${max}`;
    }
    default:
      return undefined;
  }
}

function refusalOf({ refusal }: Ruling): string | undefined {
  if (refusal?.limitKind !== 'OPERATOR_CAP') return refusal?.reason;
  return `${refusal.reason} ${refusal.details?.limit}`;
}
