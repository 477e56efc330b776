import { useQueryClient } from '@tanstack/react-query';
import type { NotificationItem } from '@tollfree/contract/notification';
import { changedSettings } from '../../api/merge-settings.ts';
import { headersOf, notificationsQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { useSave } from '../../api/use-save.ts';

type NotificationSettings = Pick<NotificationItem, 'active' | 'events' | 'tankLow'>;

/** What can be changed of a notification, and its version. */
export function notificationSettings({ active, events, tankLow, etag }: NotificationItem) {
  return { settings: { active, events, tankLow } satisfies NotificationSettings, etag };
}

/** Saves changes of a notification, on top of those of others. */
export function useSaveNotification(notification: NotificationItem) {
  const { notificationId } = notification;
  const paymaster = usePaymaster();
  const client = useQueryClient();
  return useSave({
    readNow: async () => {
      const list = await client.fetchQuery({ ...notificationsQuery(paymaster), staleTime: 0 });
      return notificationSettings(list.find((each) => each.notificationId === notificationId) ?? notification);
    },
    write: (settings: NotificationSettings, version, before) =>
      routes.notification.update({
        headers: { ...headersOf(paymaster), ...version },
        body: { notificationId, ...changedSettings(settings, before) },
      }),
  });
}
