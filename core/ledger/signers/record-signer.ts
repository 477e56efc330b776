import type { Address } from 'viem';
import type { Store } from '../../store/store.ts';

/** Records which key signs for a paymaster contract from `now` on (Unix seconds); does nothing if it is the current one. */
export async function recordSigner(
  store: Store,
  { chainId, contract, signer, now }: { chainId: number; contract: Address; signer: Address; now: number },
): Promise<void> {
  await store.transaction(async (trx) => {
    const current = await trx
      .selectFrom('contract_signers')
      .select(['signer', 'since'])
      .where('chain_id', '=', chainId)
      .where('contract', '=', contract)
      .where('until', 'is', null)
      .executeTakeFirst();
    if (current?.signer === signer) return;
    await trx
      .updateTable('contract_signers')
      .set({ until: Math.max(now, current?.since ?? now) })
      .where('chain_id', '=', chainId)
      .where('contract', '=', contract)
      .where('until', 'is', null)
      .execute();
    await trx
      .insertInto('contract_signers')
      .values({ chain_id: chainId, contract, signer, since: now, until: null })
      .onConflict((conflict) =>
        conflict.columns(['chain_id', 'contract', 'signer']).doUpdateSet({ since: now, until: null }),
      )
      .execute();
  });
}
