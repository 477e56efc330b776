import { cursorForm, defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Core } from '../../domain/core.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept } from '../../domain/result/result.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { toWebhook } from './to-webhook.ts';

/** `Core.listAccountWebhooks`. */
export function createListAccountWebhooks(store: Store): Core['listAccountWebhooks'] {
  return async ({ accountId, paymasterId, cursor, limit = defaultPageSize }) => {
    if (cursor !== undefined && !cursorForm.test(cursor)) {
      return invalidField('cursor', 'must be the nextCursor of an earlier answer');
    }
    if (paymasterId !== undefined && !(await ownsPaymaster(store.db, { accountId, paymasterId }))) {
      return paymasterNotFound;
    }
    const size = Math.min(Math.max(limit, 1), maxPageSize);
    let query = store.db
      .selectFrom('webhooks')
      .innerJoin('paymasters', 'paymasters.paymaster_id', 'webhooks.paymaster_id')
      .selectAll('webhooks')
      .where('paymasters.account_id', '=', accountId)
      .where('webhook_number', '>', cursor === undefined ? 0 : Number(cursor));
    if (paymasterId !== undefined) query = query.where('webhooks.paymaster_id', '=', paymasterId);
    // One more than requested, to see whether there are more.
    const rows = await query
      .orderBy('webhook_number')
      .limit(size + 1)
      .execute();
    const page = rows.slice(0, size);
    const next = rows.length > size ? page.at(-1)?.webhook_number : undefined;
    return accept({
      webhooks: page.map((row) => ({ ...toWebhook(row), paymasterId: row.paymaster_id })),
      ...omitAbsent({ nextCursor: next?.toString() }),
    });
  };
}
