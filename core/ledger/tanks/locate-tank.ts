import type { Selectable } from 'kysely';
import { type Address, getAddress } from 'viem';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { CustomerFunding, PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import type { Database } from '../../store/database.ts';
import { paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';

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

/** The same for a paymaster that has been read. */
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
