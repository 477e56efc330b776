import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable } from 'kysely';
import { getAddress } from 'viem';
import type { Account } from '../../domain/account.ts';
import type { Database } from '../../store/database.ts';

/** An account as the operator sees it. */
export function toAccount(row: Selectable<Database['accounts']>): Account {
  const { wallet, invited, suspended_at: suspendedAt } = row;
  return {
    accountId: row.account_id,
    name: row.name,
    createdAt: row.created_at,
    ...omitAbsent({
      wallet: wallet === null ? undefined : getAddress(wallet),
      invited: invited === 1 ? (true as const) : undefined,
      suspendedAt: suspendedAt ?? undefined,
    }),
  };
}
