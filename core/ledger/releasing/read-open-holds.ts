import { defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { sql } from 'kysely';
import { type Address, getAddress } from 'viem';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { OpenHold } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import { endOfTime } from '../../evm/entry-point/entry-point-abi.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';

type Parts = { readonly store: Store; readonly chains: ReadonlyMap<number, FollowedChain> };

/** What is set aside on a chain and may land, the oldest first; for the operator. */
export async function listOpenHolds(
  { store, chains }: Parts,
  input: { readonly chainId: number; readonly sender?: string; readonly afterHoldId?: number; readonly limit?: number },
): Promise<Result<readonly OpenHold[]>> {
  const { chainId, afterHoldId = 0, limit = defaultPageSize } = input;
  if (!chains.has(chainId)) return invalidField('chainId', 'must be a chain of the configuration');
  const sender = input.sender === undefined ? undefined : parseAddress(input.sender);
  if (input.sender !== undefined && sender === undefined) return invalidField('sender', 'must be an address');
  const page = { chainId, afterHoldId, limit: Math.min(Math.max(limit, 1), maxPageSize), ...omitAbsent({ sender }) };
  return accept(await readOpenHolds(store.db, page));
}

/** A hold as the operator may want it released: `signers` are undefined while not all are known. */
export type HoldToRelease = OpenHold & {
  readonly tankId: number;
  readonly state: 'live' | 'settled' | 'released';
  readonly signers?: readonly Address[];
};

type Db = Pick<Store['db'], 'selectFrom'>;

/** A page of the open holds of a chain, the oldest first. */
async function readOpenHolds(
  db: Db,
  wanted: { readonly chainId: number; readonly sender?: Address; readonly afterHoldId: number; readonly limit: number },
): Promise<readonly OpenHold[]> {
  // The sum cannot use the primary key, by which all holds that ever existed would be read instead of the live ones.
  const id = sql<number>`+${sql.ref('holds.hold_id')}`;
  let query = selectHolds(db, wanted.chainId)
    // A literal, or the index of live holds is not used.
    .where('holds.state', '=', sql.lit('live'))
    .where(id, '>', wanted.afterHoldId);
  if (wanted.sender !== undefined) query = query.where('holds.sender', '=', wanted.sender);
  const rows = await query.orderBy(id).limit(wanted.limit).execute();
  return rows.map(toOpenHold);
}

/** One hold of a chain, whatever its state. */
export async function readHold(db: Db, chainId: number, holdId: number): Promise<HoldToRelease | undefined> {
  const row = await selectHolds(db, chainId).where('holds.hold_id', '=', holdId).executeTakeFirst();
  if (row === undefined) return undefined;
  const signers = row.signers?.split(',').map((signer) => getAddress(signer));
  return { ...toOpenHold(row), tankId: row.tank_id, state: row.state, ...(signers === undefined ? {} : { signers }) };
}

function selectHolds(db: Db, chainId: number) {
  return db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .selectAll('holds')
    .select(['tanks.chain_id', 'tanks.contract', 'tanks.wallet'])
    .where('tanks.chain_id', '=', chainId);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectHolds>['executeTakeFirstOrThrow']>>;

function toOpenHold(row: Row): OpenHold {
  return {
    holdId: row.hold_id,
    chainId: row.chain_id,
    contract: getAddress(row.contract),
    wallet: getAddress(row.wallet),
    paymasterId: row.paymaster_id,
    sender: getAddress(row.sender),
    nonce: BigInt(row.nonce),
    amount: fromWeiText(row.amount),
    createdAt: row.created_at,
    ...(row.valid_until === endOfTime ? {} : { validUntil: row.valid_until }),
  };
}
