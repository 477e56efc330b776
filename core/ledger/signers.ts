import { type Address, getAddress } from 'viem';
import type { Store } from '../store/store.ts';

/** A key that signs or has signed for a paymaster contract. Times in Unix seconds. */
export type SignerRecord = {
  readonly chainId: number;
  readonly contract: Address;
  readonly signer: Address;
  readonly since: number;
  /** When another key took over; absent for the one that signs. */
  readonly until?: number;
  /**
   * When the last of its signatures ends, by chain time; absent once all have ended on a confirmed block. Until then the
   * contract has to accept the key.
   */
  readonly openUntil?: number;
};

/**
 * What was held up to this many seconds after a key was replaced may still have been signed by it: requests were in
 * progress.
 */
const underWaySeconds = 60;

/** All of them, the newest of each contract first. What was held before a key was replaced may have been signed by it. */
export async function readSigners({ db }: Pick<Store, 'db'>): Promise<readonly SignerRecord[]> {
  const rows = await db
    .selectFrom('contract_signers')
    .selectAll('contract_signers')
    .select((select) =>
      select
        .selectFrom('holds')
        .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
        .select(({ fn }) => fn.max('holds.valid_until').as('valid_until'))
        .whereRef('tanks.chain_id', '=', 'contract_signers.chain_id')
        .whereRef('tanks.contract', '=', 'contract_signers.contract')
        .where('holds.state', '=', 'live')
        .where(({ or, eb, ref }) =>
          or([
            eb('contract_signers.until', 'is', null),
            eb(eb('holds.created_at', '-', underWaySeconds), '<=', ref('contract_signers.until')),
          ]),
        )
        .as('open_until'),
    )
    .orderBy('chain_id')
    .orderBy('contract')
    // Among keys that began in the same second, the one that signs now.
    .orderBy(({ eb }) => eb('until', 'is not', null))
    .orderBy('since', 'desc')
    .execute();
  return rows.map((row) => ({
    chainId: row.chain_id,
    contract: getAddress(row.contract),
    signer: getAddress(row.signer),
    since: row.since,
    ...(row.until === null ? {} : { until: row.until }),
    ...(row.open_until === null ? {} : { openUntil: Number(row.open_until) }),
  }));
}

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
