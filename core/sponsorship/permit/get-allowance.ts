import { omitAbsent } from '@tollfree/contract/omit-absent';
import { unixSeconds } from '../../base/time/clock.ts';
import { maxBigint } from '../../base/values/integers.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Core } from '../../domain/core.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Allowance, BudgetStop, LimitAllowance } from '../../domain/tickets.ts';
import { type CountKey, whoseOf } from '../../ledger/accounts/limit-accounts.ts';
import { readLimitUse } from '../../ledger/accounts/read-limit-use.ts';
import { readBudgets, readBudgetUse } from '../../ledger/budgets.ts';
import { readForgottenTicket } from '../../ledger/holds/hold-working-set.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import { windowEnd, windowStart } from '../../policies/limit-window.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import { freshPrice } from '../../quotes/last-coin-price.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { type Ticket, ticketRefusals } from '../../tickets/ticket.ts';
import { verifyTicket } from '../../tickets/verify-ticket.ts';
import { findPolicy } from '../identify/choose-policy.ts';
import { identify } from '../identify/identify.ts';
import type { SponsorshipParts } from '../run/sponsorship-parts.ts';
import { ticketLimits } from './check-ticket.ts';

/** Returns what is left in each limit that concerns a ticket or a sender. Counts, holds and uses nothing. */
export function createGetAllowance(parts: SponsorshipParts, store: Store): Pick<Core, 'getAllowance'> {
  return {
    getAllowance: async ({ ticket: text, sender: given, policyId, ...key }) => {
      const identified = await identify(parts, key);
      if (!identified.ok) return identified;
      const { profile: own, chain } = identified.value;
      const found = policyId === undefined ? accept(own) : await findPolicy(parts, own, policyId);
      if (!found.ok) return found;
      const profile = found.value;
      const now = unixSeconds(parts.clock);
      const ticket = await readTicket({ parts, profile, now }, text);
      if (!ticket.ok) return ticket;
      if (await isForgotten(store, profile, ticket.value)) return ticketRefusals.expired;
      const sender = readSender({ ticket: ticket.value, given });
      if (!sender.ok) return sender;
      const limits = await readLimits(store, { profile, now, ticket: ticket.value, sender: sender.value });
      const isPriced = freshPrice(chain.coinPrice, parts.clock) !== undefined;
      const budget = await readBudgetStop(store, { profile, now, isPriced });
      const operationsLeft = budget === undefined ? await countLeft(store, { profile, now, limits }) : 0;
      return accept({ limits, ...omitAbsent({ operationsLeft, budget, ticketExpiresAt: ticket.value?.expiresAt }) });
    },
  };
}

type Reading = { readonly parts: SponsorshipParts; readonly profile: SponsorProfile; readonly now: number };

async function readTicket(
  { parts, profile, now }: Reading,
  text: string | undefined,
): Promise<Result<Ticket | undefined>> {
  if (text === undefined) return accept(undefined);
  const { accountId, paymasterId } = profile.paymaster;
  return verifyTicket(text, { accountId, paymasterId, verifiers: profile.ticketKeys, jwks: parts.jwks, now });
}

/** As for a hold: the remainder of a ticket with deleted counts is unknown. */
async function isForgotten({ db }: Store, { paymaster }: SponsorProfile, ticket: Ticket | undefined): Promise<boolean> {
  if (ticket?.counted === undefined) return false;
  const { paymasterId } = paymaster;
  const endedUntil = await readForgottenTicket(db, paymasterId);
  return endedUntil !== undefined && ticket.expiresAt <= endedUntil;
}

function readSender({ ticket, given }: { readonly ticket: Ticket | undefined; readonly given: string | undefined }) {
  if (given === undefined) {
    if (ticket !== undefined) return accept(ticket.sender);
    return refuse({ reason: 'INVALID_PARAMS', message: 'ticket or sender is required', field: 'ticket' });
  }
  const sender = parseAddress(given);
  if (sender === undefined) {
    return refuse({ reason: 'INVALID_PARAMS', message: 'sender must be a valid address', field: 'sender' });
  }
  if (ticket?.sender === undefined || ticket.sender === sender) return accept(sender);
  return refuse({ reason: 'TICKET_NOT_FOR_OPERATION', message: `The ticket is for another sender than ${sender}.` });
}

type Asked = Pick<Reading, 'profile' | 'now'> & {
  readonly ticket: Ticket | undefined;
  readonly sender: string | undefined;
};

async function readLimits({ db }: Store, { profile, now, ticket, sender }: Asked): Promise<Allowance['limits']> {
  const { keyNumber } = profile.key;
  const hold: CountKey = {
    paymasterId: profile.paymaster.paymasterId,
    policyId: profile.chosen?.policyId ?? '',
    keyNumber,
    sender: sender ?? '',
    ...omitAbsent({ ticketUser: ticket?.user, ticket: ticket?.counted }),
  };
  const concerned: readonly CountedLimit[] = [
    ...profile.policy.limits.filter(({ per }) => per === 'total' || whoseOf(per, hold) !== ''),
    ...(profile.keyLimits.get(keyNumber) ?? []).map((limit) => ({ per: 'key' as const, ...limit })),
    ...(ticket === undefined ? [] : ticketLimits(ticket)),
  ];
  const used = await readLimitUse(db, concerned, { hold, now });
  return concerned.map((limit, index): LimitAllowance => {
    const until = windowEnd(limit.window, windowStart(limit.window, now));
    return { ...limit, left: maxBigint(limit.max - (used[index] ?? 0n), 0n), ...omitAbsent({ until }) };
  });
}

/** The paymaster's shared budgets, if they leave nothing. */
async function readBudgetStop(
  { db }: Store,
  { profile, now, isPriced }: Pick<Reading, 'profile' | 'now'> & { readonly isPriced: boolean },
): Promise<BudgetStop | undefined> {
  const { paymasterId } = profile.paymaster;
  const budgets = await readBudgets(db, paymasterId);
  const uses = await Promise.all(budgets.map((budget) => readBudgetUse(db, budget, now)));
  const usedUp = budgets.filter(({ maxUsdMicros }, index) => (uses[index] ?? 0n) >= maxUsdMicros);
  if (usedUp.length === 0) return budgets.length === 0 || isPriced ? undefined : { why: 'not counted' };
  const ends = usedUp.map(({ window }) => windowEnd(window, windowStart(window, now)));
  const until = ends.every((end) => end !== undefined) ? Math.max(...ends) : undefined;
  return { why: 'used up', ...omitAbsent({ until }) };
}

/** Days whose operations tell what one costs. */
const usualDays = 7;

/** The smallest remainder in operations: a limit on amounts is divided by the usual cost of an operation, if that is known. */
async function countLeft(
  { db }: Store,
  { profile, now, limits }: Pick<Reading, 'profile' | 'now'> & Pick<Allowance, 'limits'>,
): Promise<number | undefined> {
  const counting = limits.filter(({ per, contract }) => per !== 'ticket' && contract === undefined);
  const isInMoney = counting.some(({ unit, left }) => unit !== 'operations' && left > 0n);
  const usual = isInMoney ? await readUsualCosts(db, profile.paymaster.paymasterId, now) : noCosts;
  const counts = counting.flatMap(({ unit, left }) => {
    if (unit === 'operations' || left === 0n) return [Number(left)];
    const cost = usual[unit];
    return cost === undefined || cost === 0n ? [] : [Number(left / cost)];
  });
  return counts.length === 0 ? undefined : Math.min(...counts);
}

/** What an operation cost on average, in wei and in millionths of a USD. */
type UsualCosts = { readonly wei?: bigint; readonly usdMicros?: bigint };
const noCosts: UsualCosts = {};

async function readUsualCosts(db: Store['db'], paymasterId: string, now: number): Promise<UsualCosts> {
  const days = await db
    .selectFrom('usage_sums')
    .select(['landed', 'charge', 'priced', 'usd_micros'])
    .where('paymaster_id', '=', paymasterId)
    .where('dimension', '=', 'day')
    .where('day', '>', windowStart('day', now) - usualDays * 86_400)
    .execute();
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const average = (total: bigint, parts: bigint) => (parts === 0n ? undefined : total / parts);
  const landed = sum(days.map((day) => BigInt(day.landed)));
  const priced = sum(days.map((day) => BigInt(day.priced)));
  return omitAbsent({
    wei: average(sum(days.map(({ charge }) => fromWeiText(charge))), landed),
    usdMicros: average(sum(days.map(({ usd_micros }) => BigInt(usd_micros))), priced),
  });
}
