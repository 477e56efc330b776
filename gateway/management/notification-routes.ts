import { defaultPageSize } from '@tollfree/contract/limits';
import type { NotificationItem, TankLow } from '@tollfree/contract/notification';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { DeliveryPage, Notification, TankLowRule } from '../../core/domain/notification.ts';
import { answer, done, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';

function readTankLow({ thresholdWei, daysLeft }: TankLow): TankLowRule {
  return omitAbsent({ thresholdWei: thresholdWei === undefined ? undefined : BigInt(thresholdWei), daysLeft });
}

function item({ events, tankLow, ...notification }: Notification): NotificationItem {
  if (tankLow === undefined) return { ...notification, events: [...events] };
  const { thresholdWei, ...rule } = tankLow;
  const text = thresholdWei === undefined ? {} : { thresholdWei: thresholdWei.toString() };
  return { ...notification, events: [...events], tankLow: { ...text, ...rule } };
}

function page({ deliveries, ...rest }: DeliveryPage) {
  return { deliveries: [...deliveries], ...rest };
}

/** The destinations of notifications of the paymaster that the apiKey names. */
export function createNotificationRoutes(core: Core) {
  return initServer().router(managementRouter.notification, {
    create: async ({ body: { url, events, tankLow }, req }) => {
      const rule = tankLow === undefined ? {} : { tankLow: readTankLow(tankLow) };
      return answer(await core.createNotification({ ...ownedBy(req), url, events, ...rule }), (notification) =>
        doneWith('Notification created', item(notification)),
      );
    },
    list: async ({ req }) =>
      answer(await core.listNotifications(ownedBy(req)), (notifications) =>
        doneWith('Notification list fetched', notifications.map(item)),
      ),
    update: async ({ body: { notificationId, active, events, tankLow }, req }) => {
      const changes = omitAbsent({ active, events, tankLow: tankLow === undefined ? undefined : readTankLow(tankLow) });
      return answer(await core.updateNotification({ ...ownedBy(req), notificationId, ...changes }), (notification) =>
        doneWith('Notification updated', item(notification)),
      );
    },
    delete: async ({ body, req }) =>
      answer(await core.deleteNotification({ ...ownedBy(req), ...body }), () => done('Notification deleted')),
    readSecret: async ({ query, req }) =>
      answer(await core.readNotificationSecret({ ...ownedBy(req), ...query }), ({ secret }) =>
        doneWith('Notification secret fetched', { secret }),
      ),
    rotateSecret: async ({ body, req }) =>
      answer(await core.rotateNotificationSecret({ ...ownedBy(req), ...body }), ({ secret }) =>
        doneWith('Notification secret rotated', { secret }),
      ),
    listDeliveries: async ({ query: { notificationId, state, cursor, limit }, req }) => {
      const input = {
        ...ownedBy(req),
        filter: omitAbsent({ notificationId, state }),
        ...omitAbsent({ cursor }),
        limit: limit === undefined ? defaultPageSize : Number(limit),
      };
      return answer(await core.listNotificationDeliveries(input), (found) =>
        doneWith('Notification deliveries fetched', page(found)),
      );
    },
    redeliver: async ({ body, req }) =>
      answer(await core.redeliverNotification({ ...ownedBy(req), ...body }), (delivery) =>
        doneWith('Notification queued', { ...delivery }),
      ),
    test: async ({ body, req }) =>
      answer(await core.sendTestNotification({ ...ownedBy(req), ...body }), (delivery) =>
        doneWith('Notification queued', { ...delivery }),
      ),
  });
}
