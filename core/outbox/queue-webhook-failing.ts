import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import { findListeners, notificationLimits, queueDelivery } from './queue-delivery.ts';

/** Queues `webhook.failing` for subscribers, unless they were notified about this webhook within the last hour. */
export async function queueWebhookFailing(
  transaction: Transaction<Database>,
  webhookId: string,
  now: number,
): Promise<void> {
  const webhook = await transaction
    .selectFrom('webhooks')
    .innerJoin('paymasters', 'paymasters.paymaster_id', 'webhooks.paymaster_id')
    .leftJoin('webhook_notices', 'webhook_notices.webhook_id', 'webhooks.webhook_id')
    .select(['paymasters.paymaster_id', 'paymasters.chain_id', 'webhook_notices.noticed_at'])
    .where('webhooks.webhook_id', '=', webhookId)
    .executeTakeFirst();
  if (webhook === undefined) return;
  const { paymaster_id: paymasterId, chain_id: chainId, noticed_at: noticedAt } = webhook;
  if (noticedAt !== null && now - noticedAt < notificationLimits.webhookNoticeSeconds) return;
  const listeners = await findListeners(transaction, paymasterId, 'webhook.failing');
  if (listeners.length === 0) return;
  const fact = { type: 'webhook.failing', paymasterId, chainId, data: { webhookId } } as const;
  for (const notificationId of listeners) await queueDelivery(transaction, notificationId, fact, now);
  await transaction
    .insertInto('webhook_notices')
    .values({ webhook_id: webhookId, noticed_at: now })
    .onConflict((conflict) => conflict.column('webhook_id').doUpdateSet({ noticed_at: now }))
    .execute();
}
