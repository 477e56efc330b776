import { type AliasedRawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { type Address, getAddress } from 'viem';
import { groupBy } from '../../base/values/group-by.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { CustomerFunding, PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { toWeiText } from '../../store/wei.ts';
import type { TankKey } from '../holds/hold-request.ts';

/**
 * Where a paymaster's tank is: its contract, its funding wallet once it has one, and how the contract keeps balances of its
 * customers, if it does.
 */
export type LocatedTank = {
  readonly location: PaymasterContract;
  readonly wallet: Address | undefined;
  readonly customers: CustomerFunding | undefined;
  /** False when the contract is not what the configuration says: nothing is signed for it, so no one should fill a tank. */
  readonly isAsConfigured: boolean;
};

/**
 * Finds the tank of a paymaster, restricted to its owner if one is given (only the operator gives none). Refuses a paymaster
 * whose chain or contract is no longer configured, because its ledger is not maintained.
 */
export async function locateTank(
  { store, chains }: { readonly store: Store; readonly chains: ReadonlyMap<number, FollowedChain> },
  {
    paymasterId,
    accountId,
    relay,
  }: { readonly paymasterId: string; readonly accountId?: string; readonly relay?: true },
): Promise<Result<LocatedTank>> {
  let query = store.db
    .selectFrom('paymasters')
    .select(['chain_id', 'version', 'funding_wallet'])
    .where('paymaster_id', '=', paymasterId);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  const row = await query.executeTakeFirst();
  if (row === undefined) return paymasterNotFound;
  return placeTank(chains, row, relay);
}

type PlacedPaymaster = Pick<Selectable<Database['paymasters']>, 'chain_id' | 'version' | 'funding_wallet'>;

/** Where the tank of a paymaster that has been read is. */
export function placeTank(
  chains: ReadonlyMap<number, FollowedChain>,
  row: PlacedPaymaster,
  relay?: true,
): Result<LocatedTank> {
  const chain = chains.get(row.chain_id);
  if (chain === undefined)
    return refuse({ reason: 'PAYMASTER_CHAIN_NOT_SUPPORTED', message: 'Chain ID not supported' });
  const contract = chain.contracts.get(row.version);
  if (contract === undefined) {
    return refuse({ reason: 'PAYMASTER_VERSION_NOT_SUPPORTED', message: 'Paymaster version not supported' });
  }
  const wallet = row.funding_wallet === null ? undefined : getAddress(row.funding_wallet);
  if (relay === true) {
    const location = relayPlaceOf(chain, contract.location);
    if (location === undefined) return invalidField('relay', 'must be of a paymaster whose EntryPoint has a relay');
    return accept({ location, wallet, customers: undefined, isAsConfigured: true });
  }
  return accept({
    location: contract.location,
    wallet,
    customers: contract.family.customerFunding,
    isAsConfigured: contract.fault === undefined,
  });
}

/** The relay of a contract's EntryPoint; undefined where the chain has none. */
export function relayPlaceOf(chain: FollowedChain, { entryPoint }: PaymasterContract): PaymasterContract | undefined {
  const location = chain.relay?.contract.location;
  return location?.entryPoint === entryPoint ? location : undefined;
}

/** The tank of a wallet on a paymaster contract; created empty if it does not exist yet. */
export async function openTank(
  transaction: Transaction<Database>,
  key: TankKey,
): Promise<{ readonly tank_id: number; readonly funded: string }> {
  const zero = toWeiText(0n);
  await transaction
    .insertInto('tanks')
    .values({ chain_id: key.chainId, contract: key.contract, wallet: key.wallet, funded: zero, settled: zero })
    .onConflict((conflict) => conflict.columns(['chain_id', 'contract', 'wallet']).doNothing())
    .execute();
  return transaction
    .selectFrom('tanks')
    .select(['tank_id', 'funded'])
    .where('chain_id', '=', key.chainId)
    .where('contract', '=', key.contract)
    .where('wallet', '=', key.wallet)
    .executeTakeFirstOrThrow();
}

/** The key of a paymaster contract in the ledger. */
export type ContractKey = { readonly chainId: number; readonly contract: string };

type ContractColumns = { readonly chain_id: number; readonly contract: string };

/** The contracts as a table `location`: a statement that joins it reads the data of all of them at once. */
export function contractsTable(
  transaction: Transaction<Database>,
  places: readonly ContractKey[],
): AliasedRawBuilder<ContractColumns, 'place'> {
  const rows = places.map(({ chainId, contract }) => [chainId, contract]);
  const table = dialectOf(transaction).rows({ chain_id: 'number', contract: 'text' }, rows);
  return sql<ContractColumns>`${table}`.as('place');
}

/** What was read for each contract, in their order. */
export function sortByContract<Row extends ContractColumns>(
  places: readonly ContractKey[],
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const byPlace = groupBy(rows, ({ chain_id, contract }) => `${chain_id} ${contract}`);
  return places.map(({ chainId, contract }) => byPlace.get(`${chainId} ${contract}`) ?? []);
}
