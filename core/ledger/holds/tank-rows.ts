import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import type { TankKey } from './hold-request.ts';
import { contractIdentity, tankIdentity } from './ledger-identities.ts';

/** Tanks and contracts of a batch, by their identities. Amounts in wei. */
export type Tanks = Map<string, { tankId: number; funded: bigint; settled: bigint; held: bigint }>;
export type ContractTotals = Map<string, { chainId: number; contract: string; held: bigint }>;

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
    .select(['tank_id', 'tanks.chain_id', 'tanks.contract', 'tanks.wallet', 'funded', 'settled', 'held']),
);

export function toTanks(rows: readonly RowOf<typeof tanksOf>[]): Tanks {
  return new Map(
    rows.map((row) => [
      tankIdentity({ chainId: row.chain_id, contract: row.contract, wallet: row.wallet }),
      {
        tankId: row.tank_id,
        funded: fromWeiText(row.funded),
        settled: fromWeiText(row.settled),
        held: fromWeiText(row.held),
      },
    ]),
  );
}

/** The totals of their contracts. */
export const totalsOf = fixedStatement<readonly TankKey[]>()(({ db, rows }) =>
  db
    .selectFrom('contract_totals')
    .innerJoin(
      rows<{ chain_id: number; contract: string }>({ chain_id: 'number', contract: 'text' }, distinctContracts).as(
        'asked',
      ),
      (join) =>
        join
          .onRef('asked.chain_id', '=', 'contract_totals.chain_id')
          .onRef('asked.contract', '=', 'contract_totals.contract'),
    )
    .select(['contract_totals.chain_id', 'contract_totals.contract', 'held']),
);

function distinctContracts(tanks: readonly TankKey[]) {
  const distinct = new Map(tanks.map((tank) => [contractIdentity(tank), tank]));
  return [...distinct.values()].map(({ chainId, contract }) => [chainId, contract]);
}

export function toTotals(rows: readonly RowOf<typeof totalsOf>[]): ContractTotals {
  return new Map(
    rows.map(({ chain_id: chainId, contract, held }) => [
      contractIdentity({ chainId, contract }),
      { chainId, contract, held: fromWeiText(held) },
    ]),
  );
}

/** How often paymasters have been changed. */
export const changesOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('paymasters').select(['paymaster_id', 'changes']).where('paymaster_id', 'in', texts()),
);

export const setHeldOfTanks = updateRows('tanks', { held: 'text' }, { tank_id: 'number' });
export const setHeldOfContracts = updateRows(
  'contract_totals',
  { held: 'text' },
  { chain_id: 'number', contract: 'text' },
);

/** Statements that write what tanks and contracts hold. */
export function heldWrites({
  tanks,
  contractTotals,
}: {
  readonly tanks: Tanks;
  readonly contractTotals: ContractTotals;
}): readonly [Statement<unknown>, Statement<unknown>] {
  return [
    setHeldOfTanks([...tanks.values()].map(({ held, tankId }) => ({ held: toWeiText(held), tank_id: tankId }))),
    setHeldOfContracts(
      [...contractTotals.values()].map(({ held, chainId, contract }) => {
        return { held: toWeiText(held), chain_id: chainId, contract };
      }),
    ),
  ];
}
