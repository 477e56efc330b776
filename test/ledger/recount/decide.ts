import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import { isAtTank, isSamePlace, keyOwner, type Model, moneyOf } from './model.ts';
import { type Asked, type LimitLife, type Operation, partOfSponsor, type Sponsored, worthOf } from './operations.ts';
import { askedOfVendor, countedBy, openOf, riskOf, type Sum, spentOn, unpaidOf } from './recount.ts';

/** What a rule said: its name in the table of decisions, what it added up, and what it refused with, if it did. */
export type Said = { readonly rule: string; readonly sum: string; readonly refusal?: string };

/** What the model decides: what rules said up to the first refusal, and the operation as it is then if none refused. */
export type Decided = {
  readonly kind: 'held' | 'limited' | 'unfunded';
  readonly said: readonly Said[];
  readonly after: Operation | undefined;
  /** The terms of an earlier request, or the answer to one. */
  readonly again?: string;
};

/** Places that have an operation of this batch which may come the other way. */
type Noted = Set<string>;

/** The least time that terms which are given again are good for, in seconds. */
const leastRest = 10;
const refused = (said: readonly Said[]) => said.some(({ refusal }) => refusal !== undefined);

/** Decides a request by the list of operations alone, and changes nothing. `now` in Unix seconds. */
export function decide(model: Model, asked: Asked, at: { readonly now: number; readonly noted: Noted }): Decided {
  const { request } = asked;
  const { now } = at;
  const live = model.operations.find((one) => one.state === 'live' && isSamePlace(one, request));
  const available = availableTo(model, request);
  const front = decideFront(model, request);
  if (refused(front)) return limited(front);
  const again = grantedAgain(live, request, { available, now });
  if (again !== undefined) return again;
  const early = [...front, ...decideOtherWay(model, request, at)];
  if (refused(early)) return limited(early);
  const after = joined(model, asked, { live, now });
  const sponsored = [...early, ...decideSponsored(model, asked, { live, after, now })];
  if (refused(sponsored)) return limited(sponsored);
  const added = after.amount - (live?.amount ?? 0n);
  const isAsking = request.vendor !== undefined;
  if (!isAsking && added > available) {
    const refusal = `unfunded ${available < 0n ? 0n : available}`;
    return { kind: 'unfunded', said: [...sponsored, { rule: 'funds', sum: '', refusal }], after: undefined };
  }
  const operations = [...model.operations.filter((one) => one !== live), after];
  const spendable = available + openOf(model.operations, (one) => isAtTank(one, request.tank)).amount;
  const capped = { live, after, operations, added, spendable };
  const ofVendor = decideVendor(request, { ...capped, now });
  const said = [...sponsored, ...decideCaps(request, capped), ...decideRisk(request, capped), ...ofVendor.said];
  if (refused(said)) return limited(said);
  if (!isAsking) return { kind: 'held', said: [...said, { rule: 'funds', sum: '' }], after: granted(after, request) };
  const { vendor, again: answer } = ofVendor;
  return { kind: 'held', said, after: { ...after, vendor }, ...(answer === undefined ? {} : { again: answer }) };
}

function limited(said: readonly Said[]): Decided {
  return { kind: 'limited', said, after: undefined };
}

/** The same request again: what it was granted before, as long as that is good for a while. */
function grantedAgain(
  live: Operation | undefined,
  { vendor, requestKey, landing }: HoldRequest,
  { available, now }: { readonly available: bigint; readonly now: number },
): Decided | undefined {
  const before = live?.granted.get(requestKey);
  if (vendor !== undefined || live === undefined || before === undefined || available < 0n) return undefined;
  if (before.validUntil <= now + leastRest) return undefined;
  const hash = landing?.relayed?.userOperationHash;
  const relays = new Set([...live.relays, ...(hash === undefined ? [] : [hash])]);
  return { kind: 'held', said: [{ rule: 'granted before', sum: '' }], after: { ...live, relays }, again: before.terms };
}

/** Whether its named policy may be chosen, and its ticket is not forgotten. */
function decideFront(model: Model, { policy, payment, ticket }: HoldRequest): readonly Said[] {
  const said: Said[] = [];
  if (policy.policyId !== '') {
    const refusal = model.enabled.has(policy.policyId) ? undefined : 'POLICY_NOT_ACCEPTED';
    said.push(saidOf({ rule: 'named policy', sum: '', refusal }));
    if (refusal !== undefined) return said;
  }
  const forgotten = model.forgottenTickets.get(policy.paymasterId);
  if (payment.userPercent === 100 || ticket?.bounded === undefined || forgotten === undefined) return said;
  const refusal = ticket.bounded.endsAt <= forgotten ? 'TICKET_EXPIRED' : undefined;
  return [...said, saidOf({ rule: 'forgotten ticket', sum: '', refusal })];
}

/** What the tank, the contract's deposit and the wallet's balance have left, in wei. */
function availableTo(model: Model, { tank, chainDeposit, walletBalance }: HoldRequest): bigint {
  const { funded, settled } = moneyOf(model, tank);
  const ofTank = openOf(model.operations, (one) => isAtTank(one, tank)).amount;
  const ofContract = openOf(model.operations, ({ chainId, contract }) => {
    return chainId === tank.chainId && contract === tank.contract;
  }).amount;
  const rests = [chainDeposit - ofContract, ...(walletBalance === undefined ? [] : [walletBalance - ofTank])];
  const own = funded - settled - ofTank;
  return rests.reduce((least, rest) => (rest < least ? rest : least), own < 0n ? 0n : own);
}

/** Whether an operation with this nonce may land the other way. One that is relayed is waited for only half a minute. */
function decideOtherWay(
  model: Model,
  { landing, tank, sender, nonce }: HoldRequest,
  { now, noted }: { readonly now: number; readonly noted: Noted },
): readonly Said[] {
  const others = landing?.otherPayers ?? [];
  if (others.length === 0) return [];
  const isPending = others.some((contract) => {
    const other = { ...tank, contract };
    if (noted.has(placeOf({ tank: other, sender, nonce }))) return true;
    return model.operations.some((one) => {
      const isThere = one.state === 'live' && isAtTank(one, other) && one.sender === sender && one.nonce === nonce;
      return isThere && (one.relays.size === 0 || one.madeAt > now - 30);
    });
  });
  return [saidOf({ rule: 'the other way', sum: '', refusal: isPending ? 'OPERATION_PENDING' : undefined })];
}

/** Where operations of a wallet with the same nonce are. */
export function placeOf({ tank, sender, nonce }: Pick<HoldRequest, 'tank' | 'sender' | 'nonce'>): string {
  return [tank.chainId, tank.contract, tank.wallet, sender, nonce].join(' ');
}

type Joining = { readonly live: Operation | undefined; readonly now: number };

/** The operation as it would be with the request. */
function joined(model: Model, asked: Asked, { live, now }: Joining): Operation {
  const { request } = asked;
  const { tank, policy, landing, unpaidBudget } = request;
  const first = live ?? firstOf(request, now);
  const asks = request.vendor === undefined ? request.amount : 0n;
  const amount = larger(asks, first.amount);
  const risk = unpaidBudget === undefined ? first.atRisk : larger(request.amount, first.atRisk ?? 0n);
  const isMore = amount > first.amount || (risk ?? 0n) > (first.atRisk ?? 0n);
  const { contentId, relayed } = landing ?? {};
  const names = [contentId, relayed?.userOperationHash].flatMap((name) =>
    name === undefined || first.names.has(name) ? [] : [name],
  );
  const isSponsored = request.payment.userPercent < 100;
  return {
    ...first,
    chainId: tank.chainId,
    paymasterId: policy.paymasterId,
    amount,
    atRisk: risk,
    validUntil: Math.max(request.validUntil, first.validUntil),
    lastsLong: first.lastsLong || request.lastsLong,
    client: live === undefined || isMore ? request.caps?.client : live.client,
    sponsored: isSponsored ? sponsoredWith(model, asked, { live: first, now }) : first.sponsored,
    names: new Map([...first.names, ...names.map((name) => [name, unpaidBudget !== undefined] as const)]),
    relays: new Set([...first.relays, ...(relayed === undefined ? [] : [relayed.userOperationHash])]),
  };
}

/** An operation of which nothing is known yet. */
function firstOf({ tank, policy, sender, nonce, key }: HoldRequest, now: number): Operation {
  return {
    holdId: 0,
    ...tank,
    ...policy,
    sender,
    nonce,
    keyNumber: key.keyNumber,
    madeAt: now,
    state: 'live',
    isLate: false,
    isReplaced: false,
    amount: 0n,
    atRisk: undefined,
    validUntil: 0,
    lastsLong: false,
    client: undefined,
    sponsored: undefined,
    vendor: undefined,
    landed: undefined,
    granted: new Map(),
    names: new Map(),
    relays: new Set(),
    relaysEnd: undefined,
  };
}

/** What limits and budgets count of an operation with a sponsored request. */
function sponsoredWith(
  model: Model,
  { request, calls }: Asked,
  { live, now }: Joining & { live: Operation },
): Sponsored {
  const { payment, prices, policy, ticket } = request;
  const before = live.sponsored;
  const wei = larger(partOfSponsor(request.amount, payment.userPercent), before?.wei ?? 0n);
  const more = wei - (before?.wei ?? 0n);
  const all = new Map(before?.calls);
  for (const [call, times] of calls ?? []) if (times > (all.get(call) ?? 0)) all.set(call, times);
  return {
    wei,
    usdMicros: usdWith(before, { wei, more, price: prices.usdMicrosPerCoin }),
    budgetUsd: budgetUsdWith(before, { wei, more, price: prices.seenUsdMicrosPerCoin }),
    userPercent: Math.min(payment.userPercent, before?.userPercent ?? 100),
    calls: all,
    user: ticket?.user,
    ticket: ticket?.bounded?.id,
    at: now,
    countedBy: [...limitsOn(model, request, live.keyNumber), ...budgetsOn(model, policy.paymasterId)].filter(
      ({ called }) => called === undefined || all.has(called),
    ),
    ticketUnits: (ticket?.bounded?.limits ?? []).map(({ unit }) => unit),
  };
}

type Raise = { readonly wei: bigint; readonly more: bigint; readonly price: bigint | undefined };

/** A raise has its own price; without one, the whole has no worth that is known. */
function usdWith(before: Sponsored | undefined, { wei, more, price }: Raise): bigint | undefined {
  if (price === undefined) return more > 0n ? undefined : before?.usdMicros;
  return before?.usdMicros === undefined ? worthOf(wei, price) : before.usdMicros + worthOf(more, price);
}

/** For budgets a raise without a price has that of what it joins. */
function budgetUsdWith(before: Sponsored | undefined, { wei, more, price }: Raise): bigint | undefined {
  const worth = before?.budgetUsd;
  if (more === 0n && worth !== undefined) return worth;
  if (price !== undefined) return worth === undefined ? worthOf(wei, price) : worth + worthOf(more, price);
  if (before === undefined || worth === undefined || before.wei === 0n) return undefined;
  return worth + (worth * more + before.wei - 1n) / before.wei;
}

/** The limits in force on a request: those of its policy, and of the key that asked for the operation first. */
function limitsOn(model: Model, { policy, ticket }: HoldRequest, keyNumber: number): readonly LimitLife[] {
  const ofPolicy = model.limits.get(policy.policyId === '' ? policy.paymasterId : policy.policyId) ?? [];
  return [
    ...ofPolicy.filter(({ per }) => per !== 'subject' || ticket !== undefined),
    ...(model.limits.get(keyOwner(policy.paymasterId, keyNumber)) ?? []),
  ];
}

function budgetsOn(model: Model, paymasterId: string): readonly LimitLife[] {
  const all = model.budgets.get(model.owners.get(paymasterId) ?? '') ?? [];
  return all.filter(({ paymasterIds }) => paymasterIds?.includes(paymasterId) !== false);
}

type Deciding = Joining & { readonly after: Operation };

/** Limits of the policy, the ticket, the key, then budgets: up to the first that refuses. */
function decideSponsored(model: Model, asked: Asked, { live, after, now }: Deciding): readonly Said[] {
  const { request, calls } = asked;
  const { sponsored, keyNumber } = after;
  if (sponsored === undefined || request.payment.userPercent === 100) return [];
  const operations = [...model.operations.filter((one) => one !== live), after];
  const whose = { sender: after.sender, user: sponsored.user };
  const said: Said[] = [];
  const onLimit = (limit: LimitLife): Said | undefined => {
    const { called, unit } = limit;
    if (called !== undefined && !sponsored.calls.has(called) && calls?.has(called) === true) return undefined;
    const rule = ruleOf(limit);
    if (unit === 'usdMicros' && request.prices.usdMicrosPerCoin === undefined)
      return { rule: 'a limit without a price', sum: '', refusal: 'PRICE_UNAVAILABLE' };
    if (called !== undefined && calls?.has(called) !== true)
      return { rule: 'a limit of unknown calls', sum: '', refusal: 'LIMIT_EXCEEDED' };
    return within(rule, countedBy(limit, operations, { now, whose }), { max: limit.max, refusal: 'LIMIT_EXCEEDED' });
  };
  const all = limitsOn(model, request, keyNumber);
  const ofTicket = request.ticket?.bounded;
  const questions = [
    ...all.filter(({ per }) => per !== 'key').map((limit) => () => onLimit(limit)),
    ...(ofTicket?.limits ?? []).map(({ unit, max }) => () => {
      if (unit === 'usdMicros' && request.prices.usdMicrosPerCoin === undefined)
        return { rule: 'a limit without a price', sum: '', refusal: 'PRICE_UNAVAILABLE' };
      const spent = spentOn({ paymasterId: after.paymasterId, id: ofTicket?.id ?? '', unit }, operations);
      return within(`limit ticket ever ${unit}`, spent, { max, refusal: 'TICKET_USED_UP' });
    }),
    ...all.filter(({ per }) => per === 'key').map((limit) => () => onLimit(limit)),
    ...budgetsOn(model, after.paymasterId).map((budget) => () => {
      if (!isPriced(request, live, sponsored))
        return { rule: 'a budget without a price', sum: '', refusal: 'BUDGET_NOT_COUNTED' };
      const sum = countedBy(budget, operations, { now, whose });
      return within(`budget ${budget.name}`, sum, { max: budget.max, refusal: 'LIMIT_EXCEEDED' });
    }),
  ];
  for (const question of questions) {
    const one = question();
    if (one !== undefined) said.push(one);
    if (one?.refusal !== undefined) break;
  }
  return said;
}

/** Whether budgets know the worth of what a request adds. */
function isPriced({ prices }: HoldRequest, live: Operation | undefined, { wei }: Sponsored): boolean {
  if (prices.seenUsdMicrosPerCoin !== undefined) return true;
  return live?.sponsored?.budgetUsd !== undefined && live.sponsored.wei === wei;
}

function ruleOf({ per, window, unit, called }: LimitLife): string {
  return ['limit', per, window, unit, ...(called === undefined ? [] : [called])].join(' ');
}

function within(rule: string, sum: bigint, { max, refusal }: { readonly max: bigint; readonly refusal: string }): Said {
  return { rule, sum: `${sum} of ${max}`, ...(sum > max ? { refusal } : {}) };
}

type Capped = {
  readonly live: Operation | undefined;
  readonly after: Operation;
  /** With the request. */
  readonly operations: readonly Operation[];
  readonly added: bigint;
  readonly spendable: bigint;
};

const cap = 'LIMIT_EXCEEDED';
const endOfTime = 2 ** 48 - 1;

/** What a stranger may have open at a tank. A single operation may be worth any share, unless it lasts long. */
function decideCaps(request: HoldRequest, capped: Capped): readonly Said[] {
  const { caps, tank, sender } = request;
  const { live, after, operations, added, spendable } = capped;
  if (caps === undefined) return [];
  const { client, most } = caps;
  const openAtTank = (isMeant: (one: Operation) => boolean) =>
    openOf(operations, (one) => isAtTank(one, tank) && isMeant(one));
  const takesOver = live !== undefined && after.client === client && live.client !== client;
  const ofOpen = (whose: 'Sender' | 'Client', open: Sum): Said => {
    const { count, amount } = open;
    const [maxCount, maxShare] = [most[`maxOpenHoldsPer${whose}`], most[`maxShareOfTankPer${whose}`]];
    const isTooMany = (live === undefined || takesOver) && count > maxCount;
    const more = takesOver ? after.amount : added;
    const isTooMuch = count > 1 && more > 0n && amount > shareOf(spendable, maxShare);
    const refusal = isTooMany
      ? `${cap} maxOpenHoldsPer${whose}`
      : isTooMuch
        ? `${cap} maxShareOfTankPer${whose}`
        : undefined;
    return saidOf({ rule: `open ${whose.toLowerCase()}`, sum: `${count} of ${amount}`, refusal });
  };
  const said = [
    ofOpen(
      'Sender',
      openAtTank((one) => one.sender === sender && one.client === client),
    ),
  ];
  if (client !== undefined)
    said.push(
      ofOpen(
        'Client',
        openAtTank((one) => one.client === client),
      ),
    );
  const isRelayed = request.landing?.relayed !== undefined;
  if (isRelayed || request.validUntil === endOfTime) {
    const { amount } = openAtTank(() => true);
    const isTooMuch =
      amount > after.amount && added > 0n && amount > shareOf(spendable, most.maxShareOfTankWithoutExpiry);
    const refusal = isTooMuch ? `${cap} maxShareOfTankWithoutExpiry` : undefined;
    said.push(saidOf({ rule: `open ${isRelayed ? 'relayed' : 'withoutExpiry'}`, sum: `${amount}`, refusal }));
  }
  if (after.lastsLong) {
    const { amount } = openAtTank(({ lastsLong }) => lastsLong);
    const more = live?.lastsLong === true ? added : after.amount;
    const isTooMuch = more > 0n && amount > shareOf(spendable, most.maxShareOfTankLastingLong);
    const refusal = isTooMuch ? `${cap} maxShareOfTankLastingLong` : undefined;
    said.push(saidOf({ rule: 'open lastingLong', sum: `${amount}`, refusal }));
  }
  return said;
}

function saidOf({ refusal, ...said }: Omit<Said, 'refusal'> & { readonly refusal: string | undefined }): Said {
  return refusal === undefined ? said : { ...said, refusal };
}

/** A part of an amount, to a millionth, without fractions. */
function shareOf(whole: bigint, part: number): bigint {
  return (whole * BigInt(Math.round(part * 1e6))) / 1_000_000n;
}

/** What may end unpaid: the paymaster's share of the tank, a client's part of that, and a sender's share. */
function decideRisk(request: HoldRequest, { live, after, operations, spendable }: Capped): readonly Said[] {
  const { unpaidBudget, caps, policy, sender } = request;
  if (unpaidBudget === undefined) return [];
  const client = caps?.client;
  const own = ({ paymasterId }: Operation) => paymasterId === policy.paymasterId;
  const most = shareOf(spendable, unpaidBudget.maxUnpaidSharePerPaymaster);
  const total = riskOf(operations, own) + unpaidOf(operations, own);
  const ofClient = riskOf(operations, (one) => own(one) && one.client === client);
  const ofSender =
    riskOf(operations, (one) => own(one) && one.sender === sender && one.client === client) +
    unpaidOf(operations, (one) => own(one) && one.sender === sender);
  const mine = after.atRisk ?? 0n;
  const shareOfClient = client === undefined ? 1 : (caps?.most.maxShareOfTankPerClient ?? 1);
  const senderMost = shareOf(spendable, unpaidBudget.maxUnpaidSharePerSender);
  const isOnly = ofSender === mine && unpaidBudget.maxUnpaidSharePerSender > 0;
  const refusal =
    mine === (live?.atRisk ?? 0n)
      ? undefined
      : total > most
        ? `${cap} maxUnpaidSharePerPaymaster`
        : client !== undefined && ofClient > mine && ofClient > shareOf(most, shareOfClient)
          ? `${cap} maxShareOfTankPerClient`
          : !isOnly && ofSender > senderMost
            ? `${cap} maxUnpaidSharePerSender`
            : undefined;
  return [saidOf({ rule: 'unpaid', sum: `${ofSender} and ${total}`, refusal })];
}

/** Whether another paymaster may be asked: within its budgets of day and month, and a client's part of the day. */
function decideVendor(
  { vendor, caps, requestKey, tank }: HoldRequest,
  { live, after, operations, now }: Capped & { readonly now: number },
): { readonly said: readonly Said[]; readonly vendor?: Operation['vendor']; readonly again?: string } {
  if (vendor === undefined) return { said: [] };
  const { budget, usdMicros, askedUntil, why } = vendor;
  const answer = live?.granted.get(`answer ${requestKey}`);
  if (answer !== undefined && answer.validUntil > now + leastRest)
    return { said: [{ rule: 'answered before', sum: '' }], vendor: live?.vendor, again: answer.terms };
  if ((live?.vendor?.askedUntil ?? 0) > now)
    return { said: [{ rule: 'asked at once', sum: '', refusal: 'RATE_LIMITED' }] };
  const client = caps?.client;
  const use = {
    reserved: larger(usdMicros, live?.vendor?.reserved ?? 0n),
    isAnswered: live?.vendor?.isAnswered ?? false,
    askedUntil,
    at: now,
    client,
    countedBy: client === undefined ? (['day', 'month'] as const) : (['day', 'month', 'client'] as const),
  };
  const withUse = operations.map((one) => (one === after ? { ...one, vendor: use } : one));
  const ofDay = budget.usdMicrosPerDay;
  const max = {
    day: ofDay,
    month: budget.usdMicrosPerMonth,
    client: shareOf(ofDay, budget.maxSharePerClient),
  };
  const said: Said[] = [];
  for (const by of use.countedBy) {
    const sum = askedOfVendor(withUse, { chainId: tank.chainId, by, now, ...(client === undefined ? {} : { client }) });
    said.push(within(`vendor ${by}`, sum, { max: max[by], refusal: why.reason }));
    if (sum > max[by]) break;
  }
  return { said, vendor: use };
}

function granted(operation: Operation, { requestKey, terms, validUntil }: HoldRequest): Operation {
  return { ...operation, granted: new Map([...operation.granted, [requestKey, { terms, validUntil }]]) };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
