import { cursorForm, defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import type { Kysely } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core, Input } from '../../domain/core.ts';
import { accept, invalidField } from '../../domain/result/result.ts';
import { makeRoom, notifyQueued, queueDelivery } from '../../outbox/queue-delivery.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { afterCommit } from '../../store/inside-transaction.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { findOwnNotification, notificationNotFound, toDelivery } from './stored-notification.ts';

type Deliveries = Pick<Core, 'listNotificationDeliveries' | 'redeliverNotification' | 'sendTestNotification'>;

/** The operations of `Core` on the messages to destinations. */
export function manageNotificationDeliveries(parts: { store: Store; clock: Clock }): Deliveries {
  const { store, clock } = parts;
  return {
    async listNotificationDeliveries({ filter, cursor, limit = defaultPageSize, ...owned }) {
      if (cursor !== undefined && !cursorForm.test(cursor)) {
        return invalidField('cursor', 'must be the nextCursor of an earlier answer');
      }
      if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
      if (filter.notificationId !== undefined) {
        const { notificationId } = filter;
        if ((await findOwnNotification(store.db, { ...owned, notificationId })) === undefined) {
          return notificationNotFound;
        }
      }
      const size = Math.min(Math.max(limit, 1), maxPageSize);
      // One more than requested, to see whether there are more.
      const rows = await selectDeliveries(store.db, owned, filter)
        .where('delivery_number', '<', cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor))
        .limit(size + 1)
        .execute();
      const page = rows.slice(0, size);
      const last = page.at(-1);
      return accept({
        deliveries: page.map(toDelivery),
        ...(rows.length > size && last !== undefined ? { nextCursor: String(last.delivery_number) } : {}),
      });
    },

    redeliverNotification: ({ deliveryId, ...owned }) => {
      const now = unixSeconds(clock);
      return store.transaction(async (trx) => {
        if (!(await ownsPaymaster(trx, owned))) return paymasterNotFound;
        const found = await selectDeliveries(trx, owned, {}).where('delivery_id', '=', deliveryId).executeTakeFirst();
        if (found === undefined) return notificationNotFound;
        if (found.state !== 'pending') await makeRoom(trx, found.notification_id);
        const row = await trx
          .updateTable('notification_deliveries')
          .set({ state: 'pending', round: found.round + 1, round_attempts: 0, next_attempt_at: now })
          .where('delivery_number', '=', found.delivery_number)
          .returningAll()
          .executeTakeFirstOrThrow();
        afterCommit(trx, notifyQueued);
        return accept(toDelivery(row));
      });
    },

    sendTestNotification: (input) => {
      const { notificationId, paymasterId } = input;
      const now = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const paymaster = await trx
          .selectFrom('paymasters')
          .select('chain_id')
          .where('paymaster_id', '=', ownPaymasterId(trx, input))
          .executeTakeFirst();
        if (paymaster === undefined) return paymasterNotFound;
        if ((await findOwnNotification(trx, input)) === undefined) return notificationNotFound;
        const fact = { type: 'test', paymasterId, chainId: paymaster.chain_id, data: {} } as const;
        return accept(toDelivery(await queueDelivery(trx, notificationId, fact, now)));
      });
    },
  };
}

/** The paymaster's deliveries, newest first. */
function selectDeliveries(
  db: Kysely<Database>,
  owned: Owned,
  { notificationId, state }: Input<'listNotificationDeliveries'>['filter'],
) {
  const all = db.selectFrom('notification_deliveries').selectAll().orderBy('delivery_number', 'desc');
  const own = ownPaymasterId(db, owned);
  const found =
    notificationId === undefined
      ? all.where('paymaster_id', '=', own)
      : all.where('notification_id', '=', notificationId).where(dialectOf(db).unindexed('paymaster_id'), '=', own);
  return state === undefined ? found : found.where('state', '=', state);
}
