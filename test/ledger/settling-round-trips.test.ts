import type { Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import type { Database } from '../../core/store/database.ts';
import type { TogetherConnection } from '../../core/store/statements/run-together.ts';
import type { Store } from '../../core/store/store.ts';
import { depositEvent, holdRequest, landedEvent, post, readTank, tankOf } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();

/** A store that notes the statements of each round trip of its transactions. */
function recordRoundTrips(store: Store): { readonly store: Store; readonly roundTrips: (readonly string[])[] } {
  const roundTrips: (readonly string[])[] = [];
  const record = (transaction: Transaction<Database>) =>
    transaction.getExecutor().provideConnection(async (connection) => {
      const { runTogether, executeQuery } = connection as TogetherConnection;
      const restore = () => Object.assign(connection, { runTogether, executeQuery });
      Object.assign(connection, {
        runTogether: (statements: Parameters<typeof runTogether>[0]) => {
          roundTrips.push(statements.map(({ sql }) => sql));
          return runTogether.call(connection, statements);
        },
        executeQuery: (query: Parameters<typeof executeQuery>[0]) => {
          roundTrips.push([query.sql]);
          return executeQuery.call(connection, query);
        },
      });
      return restore;
    });
  const recorded: Store['transaction'] = (work) =>
    store.transaction(async (transaction) => {
      const restore = await record(transaction);
      return work(transaction).finally(restore);
    });
  return { store: { ...store, transaction: recorded }, roundTrips };
}

test('the operations of a block share the round trips for the journal and for who is to be notified', async () => {
  const queue = createHoldQueue(ledger.store, { now: () => 1_000 }, []);
  const nonces = [1n, 2n, 3n, 4n, 5n];
  await post(ledger.store, [depositEvent(1, 500n)]);
  for (const nonce of nonces) await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, nonce }));
  const { store, roundTrips } = recordRoundTrips(ledger.store);
  await post(
    store,
    nonces.map((nonce) => landedEvent(0xa1, nonce, 20n)),
  );

  const withText = (...texts: string[]) =>
    roundTrips.filter((statements) => statements.some((sql) => texts.every((text) => sql.includes(text)))).length;
  expect({
    readsOfDeposit: withText('select "deposit" from "contract_totals"'),
    writesOfMovements: withText('insert into "movements"'),
    readsOfDestinations: withText('from "notifications"'),
  }).toEqual({ readsOfDeposit: 1, writesOfMovements: 1, readsOfDestinations: 1 });
  expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 500n, settled: 100n, held: 0n });
});
