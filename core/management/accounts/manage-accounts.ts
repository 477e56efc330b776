import { randomUUID } from 'node:crypto';
import type { Core } from '../../domain/core.ts';
import { checkName } from '../../domain/result/check-name.ts';
import { accept } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import type { Store } from '../../store/store.ts';

/** The account operations of `Core`. Names of accounts need not differ. */
export function manageAccounts(parts: { store: Store; clock: Clock }): Pick<Core, 'createAccount' | 'listAccounts'> {
  const { store, clock } = parts;
  return {
    async createAccount(input) {
      const name = checkName(input.name);
      if (!name.ok) return name;
      const account = { accountId: randomUUID(), name: name.value, createdAt: unixSeconds(clock) };
      await store.db
        .insertInto('accounts')
        .values({ account_id: account.accountId, name: account.name, created_at: account.createdAt })
        .execute();
      return accept(account);
    },

    async listAccounts() {
      const rows = await store.db
        .selectFrom('accounts')
        .selectAll()
        .orderBy('created_at')
        .orderBy('account_id')
        .execute();
      return accept(rows.map((row) => ({ accountId: row.account_id, name: row.name, createdAt: row.created_at })));
    },
  };
}
