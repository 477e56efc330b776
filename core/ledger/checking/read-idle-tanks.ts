import type { Transaction } from 'kysely';
import { getAddress } from 'viem';
import type { IdleTank } from '../../domain/ledger/ledger-report.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';

/** A paymaster contract, and the versions of paymasters that pay from it. */
type PaidFrom = { readonly chainId: number; readonly contract: string; readonly versions: readonly string[] };

/** The contract's tanks with wei in them that no paymaster pays from, those with the most first. */
export async function readIdleTanks(
  transaction: Transaction<Database>,
  { chainId, contract, versions }: PaidFrom,
): Promise<readonly IdleTank[]> {
  const rows = await transaction
    .selectFrom('tanks')
    .select(['wallet', 'funded', 'settled', 'held', 'shortfall'])
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', contract)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('paymasters')
            .select('paymasters.paymaster_id')
            .whereRef('paymasters.funding_wallet', '=', 'tanks.wallet')
            .where('paymasters.chain_id', '=', chainId)
            .where('paymasters.version', 'in', versions),
        ),
      ),
    )
    .execute();
  return rows
    .map((row) => ({
      wallet: getAddress(row.wallet),
      left: fromWeiText(row.funded) - fromWeiText(row.shortfall) - fromWeiText(row.settled) - fromWeiText(row.held),
    }))
    .filter(({ left }) => left > 0n)
    .sort((first, second) => (first.left < second.left ? 1 : first.left > second.left ? -1 : 0));
}
