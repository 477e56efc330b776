import type { NotificationItem } from '@tollfree/contract/notification';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { CalledUrl } from '../../parts/called-url.tsx';
import { Value } from '../../parts/value.tsx';
import { eventTitle } from './event-words.ts';
import { ChangeNotification } from './notification-form.tsx';
import { useTestMessage } from './send-test.tsx';
import { destinationText } from './targets.ts';
import { notificationSettings, useSaveNotification } from './use-save-notification.ts';

/** The destinations, each with its events and actions. */
export function NotificationList({ notifications }: { readonly notifications: readonly NotificationItem[] }) {
  return (
    <ul className="list">
      {notifications.map((notification) => (
        <li key={notification.notificationId}>
          <Item notification={notification} />
        </li>
      ))}
    </ul>
  );
}

function Item({ notification }: { readonly notification: NotificationItem }) {
  const { notificationId, target, events, active } = notification;
  const paymaster = usePaymaster();
  const headers = headersOf(paymaster);
  const save = useSaveNotification(notification);
  const seen = notificationSettings(notification);
  const signing = {
    readSecret: () => routes.notification.readSecret({ headers, query: { notificationId } }),
    rotateSecret: () => routes.notification.rotateSecret({ headers, body: { notificationId } }),
  };
  const test = useTestMessage(notification);
  return (
    <CalledUrl
      what="notification"
      url={destinationText(notification)}
      isActive={active}
      about={events.map(eventTitle).join(', ')}
      details={
        <p>
          Notification id <Value text={notificationId} what="notification id" />
        </p>
      }
      test={test.send}
      edit={{
        title: 'Edit notification',
        form: (close) => <ChangeNotification notification={notification} onDone={close} />,
      }}
      setActive={(next) => save.mutateAsync({ seen, mine: { ...seen.settings, active: next } })}
      remove={() => routes.notification.delete({ headers, body: { notificationId } })}
      whenDeleted="Nothing is sent to it any more, and its deliveries are deleted."
      {...(target === 'WEBHOOK' ? { signing } : {})}
    >
      {test.outcome}
    </CalledUrl>
  );
}
