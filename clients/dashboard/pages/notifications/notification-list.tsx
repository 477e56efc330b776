import { useMutation } from '@tanstack/react-query';
import type { NotificationItem } from '@tollfree/contract/notification';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { CalledUrl } from '../../parts/called-url.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import { eventTitle } from './event-words.ts';
import { ChangeNotification } from './notification-form.tsx';
import { notificationSettings, useSaveNotification } from './use-save-notification.ts';

/** The URLs, each with its events and actions. */
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
  const { notificationId, url, events, active } = notification;
  const paymaster = usePaymaster();
  const headers = headersOf(paymaster);
  const save = useSaveNotification(notification);
  const seen = notificationSettings(notification);
  const test = useMutation({
    mutationFn: () => routes.notification.test({ headers, body: { notificationId } }),
    onSuccess: () => toast('A test message is on its way.'),
  });
  return (
    <CalledUrl
      what="notification"
      url={url}
      isActive={active}
      about={events.map(eventTitle).join(', ')}
      test={
        <Button needs={['manage']} isPending={test.isPending} onPress={() => test.mutate()}>
          Send a test
        </Button>
      }
      actions={
        <PanelButton text="Edit" needs={['manage']} title="Edit notification">
          {(close) => <ChangeNotification notification={notification} onDone={close} />}
        </PanelButton>
      }
      setActive={(next) => save.mutateAsync({ seen, mine: { ...seen.settings, active: next } })}
      remove={() => routes.notification.delete({ headers, body: { notificationId } })}
      whenDeleted="Nothing is sent to it any more, and its deliveries are deleted."
      readSecret={() => routes.notification.readSecret({ headers, query: { notificationId } })}
      rotateSecret={() => routes.notification.rotateSecret({ headers, body: { notificationId } })}
    >
      <Problem error={test.error} />
    </CalledUrl>
  );
}
