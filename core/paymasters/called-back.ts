import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../store/database.ts';
import { readJsonColumn } from '../store/read-json-column.ts';

const CalledBackSchema = z.record(z.string(), z.string());

/** The methods of a contract that ran code of the caller's choice: by selector, the decision whose operation showed it. */
export type CalledBack = Readonly<Record<string, string | undefined>>;

/** @throws RowError when the column cannot be read. */
export function readCalledBack(
  row: Pick<Selectable<Database['contracts']>, 'paymaster_id' | 'address' | 'called_back'>,
): CalledBack {
  return readJsonColumn(CalledBackSchema, row.called_back, {
    table: 'contracts',
    id: `${row.paymaster_id}/${row.address}`,
  });
}
