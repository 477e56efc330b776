import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { countedFor, type OpenHolds, openIdentity } from '../holds/open-holds.ts';

/** What is open at a tank. */
export type OpenAtTank = {
  /** What its live holds come to, in wei. */
  readonly liveHolds: bigint;
  /** Senders and clients of whom the kept sum of what they have open is not that of their live holds. */
  readonly differing: number;
};

/** What is open at each tank. */
export type OpenSums = { of(tankId: number): OpenAtTank };

/** Reads what is open at all tanks, each row once: one reading does for the books of many contracts. */
export async function readOpenSums(transaction: Transaction<Database>): Promise<OpenSums> {
  const live = await readLiveHolds(transaction);
  const kept = await readKeptOpenHolds(transaction);
  const amounts = new Map<number, bigint>();
  for (const { tankId, amount } of live) amounts.set(tankId, (amounts.get(tankId) ?? 0n) + amount);
  const differing = countDiffering(kept, addUpOpenHolds(live));
  return { of: (tankId) => ({ liveHolds: amounts.get(tankId) ?? 0n, differing: differing.get(tankId) ?? 0 }) };
}

/** Live holds at a tank of one sender that one client has asked for. */
type LiveHolds = OpenHolds & { readonly tankId: number; readonly sender: string; readonly client: string | null };

async function readLiveHolds(transaction: Transaction<Database>): Promise<readonly LiveHolds[]> {
  const rows = await transaction
    .selectFrom('holds')
    .select(({ fn }) => ['tank_id', 'sender', 'client', fn.countAll<number>().as('count'), sumWei('amount').as('sum')])
    // The word itself, or the index of these holds is not taken.
    .where('state', '=', sql.lit('live'))
    .groupBy(['tank_id', 'sender', 'client'])
    .execute();
  return rows.map(({ tank_id, sum, ...row }) => ({ ...row, tankId: tank_id, amount: fromWeiSum(sum) }));
}

/** What senders and clients have open at tanks, by {@link openIdentity}. */
type OpenAtTanks = ReadonlyMap<string, OpenHolds & { readonly tankId: number }>;

async function readKeptOpenHolds(transaction: Transaction<Database>): Promise<OpenAtTanks> {
  const rows = await transaction.selectFrom('open_holds').selectAll().execute();
  return new Map(
    rows.map(({ tank_id: tankId, whose, count, amount }) => [
      openIdentity(tankId, whose),
      { tankId, count, amount: fromWeiText(amount) },
    ]),
  );
}

function addUpOpenHolds(live: readonly LiveHolds[]): OpenAtTanks {
  const added = new Map<string, OpenHolds & { readonly tankId: number }>();
  for (const { tankId, count, amount, ...of } of live) {
    for (const whose of countedFor(of)) {
      const identity = openIdentity(tankId, whose);
      const before = added.get(identity) ?? { count: 0, amount: 0n };
      added.set(identity, { tankId, count: before.count + count, amount: before.amount + amount });
    }
  }
  return added;
}

/** How many at each tank are not in both, or not alike. */
function countDiffering(kept: OpenAtTanks, added: OpenAtTanks): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const identity of new Set([...kept.keys(), ...added.keys()])) {
    const [one, other] = [kept.get(identity), added.get(identity)];
    if (one?.count === other?.count && one?.amount === other?.amount) continue;
    const tankId = one?.tankId ?? other?.tankId;
    if (tankId !== undefined) counts.set(tankId, (counts.get(tankId) ?? 0) + 1);
  }
  return counts;
}
