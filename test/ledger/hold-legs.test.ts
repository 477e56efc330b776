import { expect, test } from 'vitest';
import type { PolicyLimit } from '../../core/domain/policy.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { closeHolds } from '../../core/ledger/holds/close-holds.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import type { UserOperationLanded } from '../../core/node/chain-event.ts';
import { chainId, contract, landedEvent, numberedAddress, post } from '../support/core/ledger-lab.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();
const released = { state: 'released', because: 'expired', now: 1 } as const;

/** What is set aside in tanks and contracts, and open for senders and clients, by account; those of nothing are left out. */
async function openAccounts(): Promise<Readonly<Record<string, number>>> {
  const rows = await lab.ledger.store.db.selectFrom('ledger_accounts').select(['name', 'count', 'amount']).execute();
  const open = rows.filter(({ name, count }) => !name.startsWith('limit/') && count > 0);
  return Object.fromEntries(open.map(({ name, amount: wei }) => [name, Number(wei)]));
}

async function accountsAreRight(): Promise<void> {
  expect(await lab.ledger.store.read(checkAccounts)).toEqual([]);
}

const price = { usdMicrosPerCoin: 2_000_000_000n, seenUsdMicrosPerCoin: 2_000_000_000n };
const amount = 10n ** 15n;
const user = { ticketUser: 'subject:someone', client: 'client of someone' };

test('whatever becomes of holds, each account is what all holds count together', async () => {
  const limits: readonly PolicyLimit[] = [
    { per: 'sender', window: 'day', unit: 'operations', max: 100n },
    { per: 'subject', window: 'ever', unit: 'wei', max: 10n ** 20n },
    { per: 'total', window: 'month', unit: 'usdMicros', max: 10n ** 12n },
  ];
  await setPolicyLimits(lab.ledger.store, lab.paymasterId, limits, { requireTicket: true });
  const landing: UserOperationLanded[] = [];
  for (let nonce = 1_000n; nonce < 1_012n; nonce += 1n) {
    const sender = Number(nonce % 3n) + 0xb0;
    const over = { nonce, amount, sender: numberedAddress(sender), lastsLong: nonce % 2n === 0n, ...price };
    await lab.ask({ ...over, ...(nonce % 4n === 0n ? user : { client: `client ${nonce % 2n}` }) });
    // Others raise it, pay for it in tokens, or take it over.
    if (nonce % 3n === 0n) await lab.ask({ ...over, amount: 2n * amount, client: 'another client' });
    if (nonce % 5n === 0n) await lab.ask({ ...over, mode: 'ERC20', amount: 3n * amount });
    landing.push({ ...landedEvent(sender, nonce, amount / 2n), sender: over.sender });
  }
  await accountsAreRight();
  const landed = landing.slice(0, 8);
  await post(lab.ledger.store, landed, { coinPrice: { usdMicrosPerCoin: 3_000_000_000n, at: 1 } });
  await accountsAreRight();
  await revertFrom(landed[3]);
  await accountsAreRight();
  await endAll();
  await accountsAreRight();
  expect(await openAccounts()).toEqual({});
});

/** Rolls the ledger back to the block before an event. */
async function revertFrom(event: UserOperationLanded | undefined): Promise<void> {
  const first = event?.blockNumber ?? 0n;
  const watch = await lab.ledger.store.db.selectFrom('contract_watches').selectAll().executeTakeFirstOrThrow();
  const reversal = {
    chainId,
    contract,
    watchBefore: BigInt(watch.next_block),
    toBlock: first - 1n,
    nextBlock: first,
  } as const;
  await lab.ledger.store.transaction((transaction) => revertTo(transaction, { ...reversal, lastHash: '0x' }, lab.now));
}

const storedHolds = () => lab.ledger.store.db.selectFrom('holds').selectAll().orderBy('hold_id').execute();

test('a hold whose landing is rolled back is stored as before it landed', async () => {
  const sender = numberedAddress(0xb0);
  await lab.ask({ nonce: 1n, amount, sender, ...user, ...price });
  const held = await storedHolds();
  const landed = { ...landedEvent(0xb0, 1n, amount / 2n), sender };
  await post(lab.ledger.store, [landed], { coinPrice: { usdMicrosPerCoin: 3_000_000_000n, at: 1 } });
  expect(await storedHolds()).toMatchObject([{ state: 'settled', success: 1 }]);
  await revertFrom(landed);
  expect(await storedHolds()).toEqual(held);
});

async function endAll(): Promise<number> {
  const ids = await lab.ledger.store.db.selectFrom('holds').select('hold_id').execute();
  return lab.ledger.store.transaction(async (transaction) => {
    let roundTrips = 0;
    const executor = transaction.getExecutor();
    const { provideConnection } = executor;
    executor.provideConnection = (...work) => {
      roundTrips += 1;
      return provideConnection.apply(executor, work) as never;
    };
    await closeHolds(transaction, new Map(ids.map(({ hold_id }) => [hold_id, released])));
    executor.provideConnection = provideConnection;
    return roundTrips;
  });
}

test('many holds end in as many round trips as one', async () => {
  await lab.ask({ client: 'client', ...price });
  const ofOne = await endAll();
  for (let count = 0; count < 20; count += 1) await lab.ask({ client: `client ${count % 3}`, ...price });
  expect(await endAll()).toBe(ofOne);
});

test('a hold that has ended does not end again', async () => {
  await lab.ask({ client: 'client', ...price });
  await endAll();
  const ended = await lab.ledger.store.db.selectFrom('holds').selectAll().execute();
  const stored = await lab.ledger.store.db.selectFrom('ledger_accounts').selectAll().execute();
  await endAll();
  expect(await lab.ledger.store.db.selectFrom('holds').selectAll().execute()).toEqual(ended);
  expect(await lab.ledger.store.db.selectFrom('ledger_accounts').selectAll().execute()).toEqual(stored);
});

test('accounts that differ are named, the first of them, and the rest counted', async () => {
  for (let count = 0; count < 12; count += 1) {
    await lab.ask({ client: `client ${count}`, sender: numberedAddress(0xc0 + count), ...price });
  }
  const { store } = lab.ledger;
  expect(await store.read(checkAccounts)).toEqual([]);
  await store.db
    .updateTable('ledger_accounts')
    .set(({ eb }) => ({ count: eb('count', '+', 1) }))
    .execute();
  const accounts = await store.db.selectFrom('ledger_accounts').select('account_id').execute();
  const found = await store.read(checkAccounts);
  expect(found.at(-1)).toBe(`${accounts.length - 20} more accounts differ from their holds`);
  expect(found).toHaveLength(21);
});

test('what one account has too much does not make up for what its neighbour lacks', async () => {
  for (const sender of [0xc1, 0xc2]) await lab.ask({ client: 'client', sender: numberedAddress(sender), ...price });
  const { db } = lab.ledger.store;
  const moveTo = (accountId: number, more: number) =>
    db
      .updateTable('ledger_accounts')
      .set(({ eb }) => ({ count: eb('count', '+', more) }))
      .where('account_id', '=', accountId)
      .execute();
  const [first, second] = await db
    .selectFrom('ledger_accounts')
    .select(['account_id', 'name'])
    .where('count', '=', 1)
    .orderBy('account_id')
    .limit(2)
    .execute();
  await moveTo(first?.account_id ?? 0, 1);
  await moveTo(second?.account_id ?? 0, -1);
  const found = await lab.ledger.store.read(checkAccounts);
  expect(found).toHaveLength(2);
  expect(found[0]).toContain(`account ${first?.name}: stored 2 and`);
  expect(found[1]).toContain(`account ${second?.name}: stored 0 and`);
});
