import type { Transaction } from 'kysely';
import { getAddress } from 'viem';
import { groupBy } from '../../base/values/group-by.ts';
import type { IdleTank } from '../../domain/ledger-report.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { type ContractKey, contractsTable, sortByContract } from '../tanks/contract-keys.ts';

/** A paymaster contract, and the versions of paymasters that pay from it. */
type PaidFrom = ContractKey & { readonly versions: readonly string[] };

/** For each contract the tanks that contain wei and that no paymaster pays from, those with the most first. */
export async function readIdleTanks(
  transaction: Transaction<Database>,
  places: readonly PaidFrom[],
): Promise<readonly (readonly IdleTank[])[]> {
  // One statement for all contracts with the same versions: there are few such sets, no matter how many chains.
  const alike = [...groupBy(places, ({ versions }) => JSON.stringify(versions)).values()];
  const rows: UnpaidTank[] = [];
  for (const some of alike) rows.push(...(await readUnpaidTanks(transaction, some)));
  return sortByContract(places, rows).map((ofPlace) =>
    ofPlace
      .map(toIdle)
      .filter(({ left }) => left > 0n)
      .sort(byMost),
  );
}

type UnpaidTank = Pick<Database['tanks'], 'chain_id' | 'contract' | 'wallet'> &
  Record<'funded' | 'settled' | 'held' | 'shortfall', string>;

function readUnpaidTanks(
  transaction: Transaction<Database>,
  places: readonly PaidFrom[],
): Promise<readonly UnpaidTank[]> {
  const versions = places[0]?.versions ?? [];
  return transaction
    .selectFrom(contractsTable(transaction, places))
    .innerJoin('tanks', (join) =>
      join.onRef('tanks.chain_id', '=', 'place.chain_id').onRef('tanks.contract', '=', 'place.contract'),
    )
    .select(['tanks.chain_id', 'tanks.contract', 'tanks.wallet'])
    .select(['tanks.funded', 'tanks.settled', 'tanks.held', 'tanks.shortfall'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('paymasters')
            .select('paymasters.paymaster_id')
            .whereRef('paymasters.funding_wallet', '=', 'tanks.wallet')
            .whereRef('paymasters.chain_id', '=', 'tanks.chain_id')
            .where('paymasters.version', 'in', versions),
        ),
      ),
    )
    .execute();
}

function toIdle({ wallet, funded, settled, held, shortfall }: UnpaidTank): IdleTank {
  const left = fromWeiText(funded) - fromWeiText(shortfall) - fromWeiText(settled) - fromWeiText(held);
  return { wallet: getAddress(wallet), left };
}

function byMost(first: IdleTank, second: IdleTank): number {
  return first.left < second.left ? 1 : first.left > second.left ? -1 : 0;
}
