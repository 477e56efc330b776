import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PolicyLimit } from '../../core/domain/policy.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import type { CountedLimit } from '../../core/policies/rules/ruling.ts';
import { fromWeiText } from '../../core/store/wei.ts';
import { chainId, contract, type HoldAsked, landedEvent, numberedAddress, post } from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const { ledger, paymasterId } = lab;

/** Another core at the same store. */
let otherQueue: HoldQueue;

beforeEach(async () => {
  otherQueue = createHoldQueue(ledger.store, { now: () => lab.now * 1000 }, []);
});

const setLimits = (...limits: readonly PolicyLimit[]) =>
  setPolicyLimits(ledger.store, paymasterId, limits, { requireTicket: true });

const perUser = (unit: PolicyLimit['unit'], max: bigint): PolicyLimit => ({
  per: 'subject',
  window: 'ever',
  unit,
  max,
});
const userOf = (name: string) => `subject:${name.padEnd(43, '-')}`;
/** A ticket of a user with a bound on what is spent on it. */
function ticketOf(name: string, bounds: Partial<Record<CountedLimit['unit'], bigint>> = { operations: 1n }) {
  const units = Object.entries(bounds) as [CountedLimit['unit'], bigint][];
  const limits = units.map(([unit, max]) => ({ per: 'ticket', window: 'ever', unit, max }) as const);
  return { ticketUser: userOf(name), ticket: { id: `ticket:${name.padEnd(43, '-')}`, endsAt: lab.now + 600, limits } };
}

const { ask } = lab;

/** All that is held ends without having landed. */
function expire(): Promise<unknown> {
  const chainTime = lab.now + 1_000;
  return ledger.store.transaction((trx) => releaseExpired(trx, { chainId, contract, chainTime }, lab.now));
}

/** Held, or the reason and the limit that refused. */
async function outcomeOf(over: HoldAsked = {}): Promise<string> {
  const outcome = await ask(over);
  return outcome.kind === 'limited' ? `${outcome.refusal.reason} ${outcome.refusal.details?.limit}` : outcome.kind;
}

describe('1,000 requests at once', () => {
  test('from as many senders, at two cores, use a ticket of one use once', async () => {
    const asked = Array.from({ length: 1_000 }, (_, index) =>
      ask({ sender: numberedAddress(0xb000 + index), ...ticketOf('one') }, index % 2 === 0 ? lab.queue : otherQueue),
    );
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(1);
    const reasons = outcomes.map((outcome) => (outcome.kind === 'limited' ? outcome.refusal.reason : outcome.kind));
    expect(new Set(reasons)).toEqual(new Set(['held', 'TICKET_USED_UP']));
  });

  test('of one user, whatever its tickets and senders, never pass a limit per user; another user has its own', async () => {
    await setLimits(perUser('operations', 3n));
    const asked = Array.from({ length: 1_000 }, (_, index) =>
      ask({
        ...ticketOf(`ticket ${index}`),
        ticketUser: userOf('alice'),
        sender: numberedAddress(0xb000 + (index % 7)),
      }),
    );
    const held = (await Promise.all(asked)).filter(({ kind }) => kind === 'held');
    expect(held).toHaveLength(3);
    expect(await outcomeOf({ ticketUser: userOf('bob') })).toBe('held');
  });
});

test('a ticket with a budget pays up to it and not a wei more', async () => {
  const ticket = ticketOf('budget', { wei: 12n });
  expect(await outcomeOf(ticket)).toBe('held');
  expect(await outcomeOf(ticket)).toBe('held');
  expect(await outcomeOf({ ...ticket, amount: 3n })).toBe('TICKET_USED_UP limit-ticket-ever-wei');
  expect(await outcomeOf({ ...ticket, amount: 2n })).toBe('held');
});

test('a budget in USD counts at the price of its time, and refuses without one', async () => {
  const ticket = ticketOf('usd', { usdMicros: 10n });
  const priced = { ...ticket, usdMicrosPerCoin: 10n ** 18n };
  expect(await outcomeOf(ticket)).toMatch(/^PRICE_UNAVAILABLE/);
  expect(await outcomeOf(priced)).toBe('held');
  expect(await outcomeOf({ ...priced, amount: 6n })).toBe('TICKET_USED_UP limit-ticket-ever-usd');
  expect(await outcomeOf(priced)).toBe('held');
});

test('a repeated request uses nothing more, and what does not land is given back', async () => {
  const repeated = { ...ticketOf('one'), nonce: 7n, requestKey: 'the same' };
  expect(await outcomeOf(repeated)).toBe('held');
  expect(await outcomeOf(repeated)).toBe('held');
  expect(await outcomeOf({ ...ticketOf('one'), nonce: 7n, amount: 6n })).toBe('held');
  expect(await outcomeOf(ticketOf('one'))).toMatch(/^TICKET_USED_UP/);
  await expire();
  expect(await outcomeOf(ticketOf('one'))).toBe('held');
});

test('what has landed is used for good', async () => {
  expect(await outcomeOf({ ...ticketOf('one'), nonce: 7n })).toBe('held');
  await post(ledger.store, [landedEvent(0xa1, 7n, 5n)]);
  expect(await outcomeOf(ticketOf('one'))).toMatch(/^TICKET_USED_UP/);
});

test('an operation counts for the ticket that it was asked with last, and for that alone', async () => {
  await setLimits(perUser('wei', 100n));
  const [first, second] = [ticketOf('first', { operations: 1n, wei: 20n }), ticketOf('second', { wei: 20n })];
  expect(await outcomeOf({ ...first, nonce: 7n, amount: 15n })).toBe('held');
  // As a whole, not only by what it adds: 21 wei are more than the second has.
  expect(await outcomeOf({ ...second, nonce: 7n, amount: 21n })).toBe('TICKET_USED_UP limit-ticket-ever-wei');
  expect(await outcomeOf({ ...second, nonce: 7n, amount: 16n })).toBe('held');
  expect(await outcomeOf({ ...first, amount: 20n })).toBe('held');
  expect(await outcomeOf({ ...second, amount: 5n })).toBe('TICKET_USED_UP limit-ticket-ever-wei');
  expect(await outcomeOf({ ...second, amount: 4n })).toBe('held');
  expect(await ledger.store.read(checkAccounts)).toEqual([]);
});

/** What is counted of users and tickets, by the names of their accounts. */
async function usages() {
  const rows = await ledger.store.db.selectFrom('ledger_accounts').select(['name', 'count', 'amount']).execute();
  const ofUsers = rows.filter(({ name }) => /^(ticket|limit)\//.test(name));
  return ofUsers.map(({ name, count, amount }) => ({ name, count, wei: fromWeiText(amount) }));
}

test('whatever users, tickets and nonces meet, each count is the sum of its holds and within its bound', async () => {
  await setLimits(perUser('operations', 4n), perUser('wei', 60n));
  const names = ['ann', 'bob', 'cat'];
  const step = fc.record({
    user: fc.constantFrom(...names),
    ticket: fc.constantFrom(...names),
    nonce: fc.bigInt({ min: 1n, max: 6n }),
    amount: fc.bigInt({ min: 1n, max: 30n }),
    becomes: fc.constantFrom('nothing', 'nothing', 'land', 'expire'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 6 }), async (batches) => {
      // Nothing is anybody's at the beginning of a run.
      await ledger.store.db.deleteFrom('ledger_accounts').execute();
      for (const batch of batches) {
        await Promise.all(
          batch.map(({ user, ticket, nonce, amount }) =>
            ask({ ...ticketOf(ticket, { operations: 3n, wei: 50n }), ticketUser: userOf(user), nonce, amount }),
          ),
        );
        for (const { becomes, nonce, amount } of batch) {
          if (becomes === 'land') await post(ledger.store, [landedEvent(0xa1, nonce, amount)], { now: lab.now });
          if (becomes === 'expire') await expire();
        }
        expect(await ledger.store.read(checkAccounts)).toEqual([]);
        for (const { name, count, wei } of await usages()) {
          const [most, mostWei] = name.startsWith('ticket/') ? [3, 50n] : [4, 60n];
          const isOfOperations = wei === 0n;
          if (isOfOperations) expect(count).toBeLessThanOrEqual(most);
          expect(wei).toBeLessThanOrEqual(mostWei);
        }
      }
    }),
    { numRuns: 25 },
  );
});
