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

async function roundTripsOf(nonces: readonly bigint[]): Promise<readonly (readonly string[])[]> {
  const queue = createHoldQueue(ledger.store, { now: () => 1_000 }, []);
  for (const nonce of nonces) {
    const contentId = `0x${nonce.toString(16).padStart(64, '0')}` as const;
    await queue.hold(holdRequest({ tank: tankOf(1), amount: 60n, nonce, contentId }));
  }
  const { store, roundTrips } = recordRoundTrips(ledger.store);
  await post(
    store,
    nonces.map((nonce) => landedEvent(0xa1, nonce, 20n)),
  );
  return roundTrips;
}

test('many operations settle in as many round trips as one', async () => {
  await post(ledger.store, [depositEvent(1, 5_000n)]);
  const ofOne = await roundTripsOf([1n]);
  const ofMany = await roundTripsOf(Array.from({ length: 50 }, (_, index) => BigInt(index + 2)));
  expect(ofMany.length).toBe(ofOne.length);
  expect(await readTank(ledger.store, tankOf(1))).toEqual({ funded: 5_000n, settled: 51n * 20n, held: 0n });
});
