import { maxTicketLifetimeSeconds } from '@tollfree/contract/limits';
import { beforeEach, describe, expect, test } from 'vitest';
import { pruneAccounts } from '../../core/decisions/pruning/prune-counts.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { sweep } from '../../core/runtime/upkeep.ts';
import { toWeiText } from '../../core/store/wei.ts';
import {
  chainId,
  contract,
  type HoldAsked,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  post,
} from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { noon, useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const { ledger, paymasterId, accountId } = lab;

const otherPaymasterId = '10000000-0000-4000-8000-000000000002';

beforeEach(async () => {
  await insertPaymaster(ledger.store, { paymasterId: otherPaymasterId, accountId });
});

/** A ticket of one use, that ends so many seconds after noon. */
function ticketOf(jti: string, endsAfter: number) {
  const limits = [{ per: 'ticket', window: 'ever', unit: 'operations', max: 1n }] as const;
  return { ticketUser: 'subject:alice', ticket: { id: `ticket:${jti}`, endsAt: noon + endsAfter, limits } };
}

/** `held`, or the reason of the refusal. */
async function outcomeOf(over: HoldAsked): Promise<string> {
  const outcome = await lab.ask(over);
  return outcome.kind === 'limited' ? outcome.refusal.reason : outcome.kind;
}

/** Uses a ticket, of which the holds then say nothing any more: as when their decisions have been pruned. */
async function use(ticket: Pick<HoldAsked, 'ticket' | 'ticketUser'>, more: HoldAsked = {}): Promise<void> {
  expect(await outcomeOf({ ...ticket, ...more })).toBe('held');
  await ledger.store.transaction((trx) => trx.updateTable('holds').set({ ticket_user: null, ticket: null }).execute());
}

/** Housekeeping, with nothing that keeps a decision. */
async function keepHouse(): Promise<void> {
  const clock = { now: () => lab.now * 1000 };
  await sweep(
    { store: ledger.store, clock, isClockRight: () => true, keep: { keepDays: 1, keepMost: 1 } },
    () => false,
  );
}

/** Accounts of tickets and limits that there are. */
async function counted(): Promise<string[]> {
  const rows = await ledger.store.db.selectFrom('ledger_accounts').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name).filter((name) => /^(ticket|limit)\//.test(name));
}

const accountOf = (jti: string) => `ticket/${paymasterId}/ticket:${jti}/operations`;

describe('the count of a used ticket', () => {
  test('stays as long as the ticket could be taken, and for the longest life of a ticket after that', async () => {
    const ticket = ticketOf('one', 600);
    await use(ticket);
    for (const after of [0, 599, 600 + maxTicketLifetimeSeconds]) {
      lab.now = noon + after;
      await keepHouse();
      expect(await outcomeOf(ticket), `${after}`).toBe('TICKET_USED_UP');
    }
    lab.now += 1;
    await keepHouse();
    expect(await counted()).toEqual([]);
  });

  test('stays for the latest of several tickets with its jti, in whichever order they came', async () => {
    const [short, long] = [600, 6 * 86_400];
    for (const [jti, ends] of [['up', [short, long]] as const, ['down', [long, short]] as const]) {
      for (const endsAfter of ends) {
        // The same operation, asked again with the other ticket.
        expect(await outcomeOf({ ...ticketOf(jti, endsAfter), nonce: 900n })).toBe('held');
      }
      await post(ledger.store, [landedEvent(0xa1, 900n, 4n)]);
      await use(ticketOf(`${jti} other`, short));
    }
    lab.now = noon + short + maxTicketLifetimeSeconds + 1;
    await keepHouse();
    expect(await counted()).toEqual([accountOf('down'), accountOf('up')]);
    lab.now = noon + long + maxTicketLifetimeSeconds + 1;
    await keepHouse();
    expect(await counted()).toEqual([]);
  });

  test('knows its end after its operation has landed', async () => {
    expect(await outcomeOf({ ...ticketOf('landed', 600), nonce: 7n })).toBe('held');
    await post(ledger.store, [landedEvent(0xa1, 7n, 4n)]);
    lab.now = noon + 601 + maxTicketLifetimeSeconds;
    await keepHouse();
    expect(await counted()).toEqual([]);
  });
});

describe('who uses a ticket again once its count has gone', () => {
  const ticket = ticketOf('one', 600);

  async function forget(): Promise<void> {
    await use(ticket);
    lab.now = noon + 601 + maxTicketLifetimeSeconds;
    await keepHouse();
    expect(await counted()).toEqual([]);
  }

  test('gains nothing at once, nor with a clock that is set back', async () => {
    await forget();
    expect(await outcomeOf(ticket)).toBe('TICKET_EXPIRED');
    lab.now = noon;
    expect(await outcomeOf(ticket)).toBe('TICKET_EXPIRED');
    // Nor does any other of that time, of which no one knows any more whether it was used.
    expect(await outcomeOf(ticketOf('two', 600))).toBe('TICKET_EXPIRED');
    expect(await outcomeOf(ticketOf('two', 601))).toBe('held');
    expect(await outcomeOf({ ...ticketOf('one', 600), paymasterId: otherPaymasterId })).toBe('held');
    // What is paid in tokens takes nothing of a ticket.
    expect(await outcomeOf({ ...ticket, mode: 'ERC20' })).toBe('held');
  });

  test('gains nothing by a clock that was a year ahead for a moment', async () => {
    await use(ticket);
    await use(ticketOf('longer', 1_200));
    lab.now = noon + 365 * 86_400;
    await keepHouse();
    expect(await counted()).toEqual([]);
    lab.now = noon + 10;
    expect(await outcomeOf(ticket)).toBe('TICKET_EXPIRED');
    expect(await outcomeOf(ticketOf('longer', 1_200))).toBe('TICKET_EXPIRED');
    expect(await outcomeOf(ticketOf('new', 1_201))).toBe('held');
  });

  test('gains nothing by what is pruned later and ended earlier', async () => {
    await use(ticketOf('long', 6 * 86_400));
    lab.now = noon + 6 * 86_400 + maxTicketLifetimeSeconds + 1;
    await keepHouse();
    lab.now = noon;
    await ledger.store.db
      .insertInto('ledger_accounts')
      .values(row(1_000, accountOf('short'), noon + 600 + maxTicketLifetimeSeconds))
      .execute();
    lab.now = noon + 601 + maxTicketLifetimeSeconds;
    await keepHouse();
    lab.now = noon;
    expect(await outcomeOf(ticketOf('long', 6 * 86_400))).toBe('TICKET_EXPIRED');
  });
});

test('what is spent on a ticket stays known when another operation, of no known worth, is no longer on the chain', async () => {
  const ticket = {
    ticketUser: 'subject:alice',
    ticket: { ...ticketOf('usd', 600).ticket, limits: [{ per: 'ticket', window: 'ever', unit: 'usdMicros', max: 5n }] },
  } as const;
  const usdMicrosPerCoin = 10n ** 18n;
  await use(ticket, { usdMicrosPerCoin });
  expect(await outcomeOf({ nonce: 900n, sender: numberedAddress(0xa2) })).toBe('held');
  const landed = landedEvent(0xa2, 900n, 4n);
  await post(ledger.store, [landed]);
  const toBlock = landed.blockNumber - 1n;
  const watch = await ledger.store.db.selectFrom('contract_watches').select('next_block').executeTakeFirstOrThrow();
  const watchBefore = BigInt(watch.next_block);
  const reversal = { chainId, contract, watchBefore, toBlock, nextBlock: toBlock + 1n } as const;
  await ledger.store.transaction((trx) => revertTo(trx, { ...reversal, lastHash: '0x' }, lab.now));
  const [hold] = await ledger.store.db.selectFrom('holds').select('state').where('nonce', '=', '900').execute();
  expect(hold).toEqual({ state: 'live' });
  expect(await outcomeOf({ ...ticket, usdMicrosPerCoin })).toBe('TICKET_USED_UP');
});

function row(account_id: number, name: string, kept_until: number | null) {
  return { account_id, name, count: 1, amount: toWeiText(1n), base_count: 0, base_amount: toWeiText(0n), kept_until };
}

test('accounts that are of no use any more go some at a time, and those without an end never', async () => {
  const gone = Array.from({ length: 1_100 }, (_, index) => row(index + 1, accountOf(`${index}`), noon));
  const stay = [row(2_000, 'limit/1//0', null), row(2_001, accountOf('good'), noon + 2)];
  const rows = [...gone, ...stay];
  for (let first = 0; first < rows.length; first += 100) {
    await ledger.store.db
      .insertInto('ledger_accounts')
      .values(rows.slice(first, first + 100))
      .execute();
  }
  lab.now = noon + 1;
  const steps: [all: boolean, deleted: number][] = [];
  for (let isAll = false; !isAll; ) {
    const before = (await counted()).length;
    isAll = await pruneAccounts(ledger.store, lab.now);
    steps.push([isAll, before - (await counted()).length]);
  }
  expect(steps).toEqual([
    [false, 500],
    [false, 500],
    [true, 100],
  ]);
  expect(await counted()).toEqual(stay.map(({ name }) => name));
  lab.now += 3 * maxTicketLifetimeSeconds;
  await pruneAccounts(ledger.store, lab.now);
  expect(await counted()).toEqual(['limit/1//0']);
});

test('the accounts of a limit that was removed go, and those of another do not', async () => {
  const limit = { per: 'sender', window: 'ever', unit: 'operations', max: 9n } as const;
  await setPolicyLimits(ledger.store, paymasterId, [limit]);
  for (const sender of [0xb1, 0xb2]) expect(await outcomeOf({ sender: numberedAddress(sender) })).toBe('held');
  await setPolicyLimits(ledger.store, paymasterId, [{ ...limit, unit: 'wei' }]);
  expect(await outcomeOf({ sender: numberedAddress(0xb1) })).toBe('held');
  expect(await counted()).toHaveLength(3);
  await keepHouse();
  expect(await counted()).toEqual([`limit/2/${numberedAddress(0xb1)}/0`]);
});
