import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { type CountRow, changeCounts, countChanges } from './change-counts.ts';
import { legsOf } from './hold-legs.ts';
import { differences, type HoldMove, readSums } from './running-sums.ts';
import type { StoredRow } from './sum-tables.ts';

/**
 * How all sums follow holds that change, whichever way: they settle, are released, or stand again. Reads them, and returns the
 * statements that write them.
 */
export async function followHolds(
  transaction: Transaction<Database>,
  moves: readonly HoldMove[],
): Promise<readonly Statement<unknown>[]> {
  const legs = moves.flatMap((move) => differences(move, legsOf));
  const sums = readSums(legs);
  const counts = countChanges(moves);
  const [countRows, ...rows] = await runTogether<[CountRow, ...StoredRow[]]>(transaction, counts.read, ...sums.reads);
  const running = sums.run(rows);
  running.add(legs);
  return [...running.writes(), ...changeCounts(counts.changes, countRows)];
}
