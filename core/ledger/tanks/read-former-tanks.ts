import type { Transaction } from 'kysely';
import { getAddress } from 'viem';
import { maxBigint } from '../../base/values/integers.ts';
import type { FormerTank } from '../../domain/gas-tank.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import type { TankKey } from '../holds/hold-request.ts';

/**
 * The tanks of the wallets that funded a paymaster before the present one. Changing the wallet moves nothing: those tanks
 * keep what was paid in, their holds settle in them, and setting the wallet again makes them current again.
 */
export async function readFormerTanks(
  transaction: Transaction<Database>,
  paymasterId: string,
  { chainId, contract, wallet }: TankKey,
): Promise<readonly FormerTank[]> {
  const rows = await transaction
    .selectFrom('funding_wallets')
    .innerJoin('tanks', 'tanks.wallet', 'funding_wallets.address')
    .select(['tanks.wallet', 'tanks.funded', 'tanks.settled', 'tanks.held', 'tanks.shortfall'])
    .distinct()
    .where('funding_wallets.paymaster_id', '=', paymasterId)
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', contract)
    .where('tanks.wallet', '<>', wallet)
    .orderBy('tanks.wallet')
    .execute();
  return rows.map((row) => {
    const [settled, held] = [fromWeiText(row.settled), fromWeiText(row.held)];
    const left = fromWeiText(row.funded) - fromWeiText(row.shortfall) - settled - held;
    return { fundingWallet: getAddress(row.wallet), left: maxBigint(left, 0n), held };
  });
}
