import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { type Address, getAddress } from 'viem';
import { parseAddress } from '../base/values/parse-address.ts';
import type { Actor, Role } from '../domain/access/actor.ts';
import type { Core } from '../domain/core.ts';
import { accept } from '../domain/result/result.ts';
import type { Membership } from '../domain/sign-in.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';

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

/** Records a member's first sign-in, and returns its role. `now` in Unix seconds. */
export async function joinAccount(
  trx: Transaction<Database>,
  { accountId, wallet, now }: { readonly accountId: string; readonly wallet: string; readonly now: number },
): Promise<Role> {
  const { role } = await trx
    .updateTable('account_members')
    .set(({ fn, val }) => ({ joined_at: fn.coalesce('joined_at', val(now)) }))
    .where('account_id', '=', accountId)
    .where('wallet', '=', wallet)
    .returning('role')
    .executeTakeFirstOrThrow();
  return role;
}

/**
 * Removes a wallet from an account, with its sessions there, the authTokens it created, tokens created with those, and
 * sessions that began with any of them. `now` in Unix seconds.
 */
export async function endMembership(
  trx: Transaction<Database>,
  { accountId, wallet, now }: { readonly accountId: string; readonly wallet: string; readonly now: number },
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('wallet', '=', wallet),
        eb(
          'auth_token_id',
          'in',
          selectFrom('auth_tokens')
            .select('auth_token_id')
            .where('account_id', '=', accountId)
            .where('made_by', '=', wallet),
        ),
      ]),
    )
    .execute();
  await trx
    .updateTable('auth_tokens')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('made_by', '=', wallet)
    .where('revoked_at', 'is', null)
    .execute();
  // Otherwise no one could make it an account's own wallet again.
  await trx
    .updateTable('accounts')
    .set({ wallet: null, invited: 0 })
    .where('account_id', '=', accountId)
    .where('wallet', '=', wallet)
    .execute();
  await trx.deleteFrom('account_members').where('account_id', '=', accountId).where('wallet', '=', wallet).execute();
}

/**
 * Whether the caller uses a session that this wallet itself signed in for: not an authToken that it created, nor a session
 * that began with one, since programs have those.
 */
export function isOfWallet(actor: Actor | undefined, wallet: string | undefined): boolean {
  if (actor?.kind !== 'session' || actor.wallet === undefined || wallet === undefined) return false;
  return getAddress(actor.wallet as Address) === getAddress(wallet as Address); // both were parsed as addresses
}

/** Anyone can invite a wallet, so there may be more than anyone reads. */
const maxMemberships = 200;

export function listMemberships(store: Store): Core['listMemberships'] {
  return async ({ wallet: given, chainId = null }) => {
    const wallet = parseAddress(given);
    if (wallet === undefined) return accept([]);
    const rows = await store.db
      .selectFrom('account_members')
      .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
      .select(['account_members.account_id', 'accounts.name', 'role', 'added_at', 'joined_at'])
      .where('account_members.wallet', '=', wallet)
      .where('account_members.chain_id', chainId === null ? 'is' : '=', chainId)
      .where('suspended_at', 'is', null)
      // Joined accounts first.
      .orderBy(({ eb }) => eb('joined_at', 'is', null))
      .orderBy('added_at', 'desc')
      .orderBy('account_members.account_id')
      .limit(maxMemberships)
      .execute();
    return accept(
      rows.map(
        (row): Membership => ({
          accountId: row.account_id,
          name: row.name,
          role: row.role,
          addedAt: row.added_at,
          ...omitAbsent({ joinedAt: row.joined_at ?? undefined }),
        }),
      ),
    );
  };
}
