import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';

/** `chainId` is that of a contract wallet, `now` in Unix seconds. */
type Owner = {
  readonly accountId: string;
  readonly wallet: string;
  readonly chainId?: number | undefined;
  readonly now: number;
};

/** Makes a wallet an owner of an account, whatever its previous role. */
export async function putOwner(trx: Transaction<Database>, { accountId, wallet, chainId, now }: Owner): Promise<void> {
  await trx
    .insertInto('account_members')
    .values({ account_id: accountId, wallet, chain_id: chainId ?? null, role: 'owner', added_at: now, joined_at: null })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'wallet']).doUpdateSet({ role: 'owner', chain_id: chainId ?? null }),
    )
    .execute();
}
