import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import type { TankKey } from './hold-request.ts';
import { tankIdentity } from './ledger-identities.ts';

/** Tanks of a batch, by their identities, without what they hold. Amounts in wei. */
export type Tanks = ReadonlyMap<string, { readonly tankId: number; readonly funded: bigint; readonly settled: bigint }>;

/** The tanks of a batch. */
export const tanksOf = fixedStatement<readonly TankKey[]>()(({ db, rows }) =>
  db
    .selectFrom('tanks')
    .innerJoin(
      rows<{ chain_id: number; contract: string; wallet: string }>(
        { chain_id: 'number', contract: 'text', wallet: 'text' },
        (tanks) => tanks.map(({ chainId, contract, wallet }) => [chainId, contract, wallet]),
      ).as('asked'),
      (join) =>
        join
          .onRef('asked.chain_id', '=', 'tanks.chain_id')
          .onRef('asked.contract', '=', 'tanks.contract')
          .onRef('asked.wallet', '=', 'tanks.wallet'),
    )
    .select(['tank_id', 'tanks.chain_id', 'tanks.contract', 'tanks.wallet', 'funded', 'settled']),
);

export function toTanks(rows: readonly RowOf<typeof tanksOf>[]): Tanks {
  return new Map(
    rows.map((row) => [
      tankIdentity({ chainId: row.chain_id, contract: row.contract, wallet: row.wallet }),
      {
        tankId: row.tank_id,
        funded: fromWeiText(row.funded),
        settled: fromWeiText(row.settled),
      },
    ]),
  );
}

/** How often paymasters have been changed. */
export const changesOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('paymasters').select(['paymaster_id', 'changes']).where('paymaster_id', 'in', texts()),
);
