import { omitAbsent } from '@tollfree/contract/omit-absent';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Membership } from '../../domain/account.ts';
import type { Core } from '../../domain/core.ts';
import { accept } from '../../domain/result/result.ts';
import type { Store } from '../../store/store.ts';

/** Anyone can invite a wallet, so there may be more than anyone reads. */
const maxMemberships = 200;

/** `Core.listMemberships`. */
export function listMemberships(store: Store): Core['listMemberships'] {
  return async ({ wallet: given, chainId = null }) => {
    const wallet = parseAddress(given);
    if (wallet === undefined) return accept([]);
    const rows = await store.db
      .selectFrom('account_members')
      .innerJoin('accounts', 'accounts.account_id', 'account_members.account_id')
      .select(['account_members.account_id', 'name', 'role', 'added_at', 'joined_at'])
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
