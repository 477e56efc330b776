import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { RowOf, Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { changeCounts, countChanges } from '../counts/change-counts.ts';
import { usageRowsOf } from '../counts/limit-usage.ts';
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
  const sums = readSums(moves.flatMap((move) => differences(move, legsOf)));
  const counts = countChanges(moves);
  const [countRows, ...rows] = await runTogether<[RowOf<typeof usageRowsOf>, ...StoredRow[]]>(
    transaction,
    usageRowsOf(counts.map(({ key }) => key)),
    ...sums.reads,
  );
  const running = sums.run(rows);
  for (const move of moves) running.move(move);
  return [...running.writes(), ...changeCounts(counts, countRows)];
}
