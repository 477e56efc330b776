import { expect, onTestFinished, test } from 'vitest';
import { createDecisionRecorder } from '../../core/decisions/record-decisions.ts';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { countEntries } from '../../core/ledger/ledger-metrics.ts';
import type { DecisionRow } from '../../core/store/decision-tables.ts';
import { openStore } from '../../core/store/open-store.ts';
import type { Store } from '../../core/store/store.ts';
import {
  chainId,
  depositEvent,
  holdRequest,
  insertPaymaster,
  openLedger,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const clock = { now: () => 1_000 };
const holds = 120;

/** A sequence of PostgreSQL gives numbers in the order in which they are asked for, no matter who commits first. */
test.skipIf(!isOnPostgres)(
  'who goes on behind the last number it has seen misses nothing of what two processes write',
  async () => {
    const ledger = await openLedger();
    const other = await openStore(ledger.database);
    const reader = await openStore(ledger.database);
    onTestFinished(async () => {
      await Promise.all([other.close(), reader.close()]);
      await ledger.close();
    });
    const owned = { paymasterId: crypto.randomUUID(), accountId: crypto.randomUUID() };
    await insertPaymaster(ledger.store, owned);
    await post(ledger.store, [depositEvent(1, 1_000_000n)]);
    const refused = (): DecisionRow => ({
      ...decision,
      decision_id: crypto.randomUUID(),
      paymaster_id: owned.paymasterId,
    });

    const write = async (store: Store, firstNonce: number) => {
      const decisions = createDecisionRecorder(store, silentLogger, clock);
      const queue = createHoldQueue(store, clock, []);
      for (let nonce = firstNonce; nonce < firstNonce + holds; nonce += 1) {
        decisions.add(refused());
        await queue.hold(
          holdRequest({ tank: tankOf(1), amount: 1n, nonce: BigInt(nonce), paymasterId: owned.paymasterId }),
        );
        decisions.add(refused());
      }
      await decisions.close();
    };
    let isWritten = false;
    const seen = { entries: 0, entry: 0, decisions: new Set<number>(), decision: 0, looks: 0 };
    const look = async () => {
      const counted = await countEntries(reader, seen.entry);
      seen.entry = counted.until;
      for (const { entries } of counted.counts) seen.entries += entries;
      for (const decision_number of await decisionsAfter(reader, seen.decision)) {
        seen.decisions.add(decision_number);
        seen.decision = decision_number;
      }
      seen.looks += 1;
    };
    const reading = (async () => {
      while (!isWritten) await look();
      await look();
    })();
    await Promise.all([write(ledger.store, 0), write(other, 1_000)]);
    isWritten = true;
    await reading;
    expect(seen.looks).toBeGreaterThan(10);
    // One for each hold, and the deposit's.
    expect(seen.entries).toBe(2 * holds + 1);
    expect([...seen.decisions]).toEqual(await decisionsAfter(reader, 0));
    expect(seen.decisions.size).toBe(4 * holds);
  },
);

const decision: Omit<DecisionRow, 'decision_id' | 'paymaster_id'> = {
  chain_id: chainId,
  method: 'sponsorUserOperation',
  outcome: 'refused',
  mode: null,
  reason: 'GAS_PRICE_TOO_HIGH',
  sender: null,
  nonce: null,
  token: null,
  hold_id: null,
  record: '{"version":3}',
  reasons: Buffer.of(3),
  created_at: 1_000,
};

async function decisionsAfter({ db }: Store, after: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('decisions')
    .select('decision_number')
    .where('decision_number', '>', after)
    .orderBy('decision_number')
    .execute();
  return rows.map(({ decision_number }) => decision_number);
}
