import { useMutation } from '@tanstack/react-query';
import type { NotificationItem } from '@tollfree/contract/notification';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SigningSecret } from '../../parts/signing-secret.tsx';
import { toast } from '../../parts/toast.tsx';
import { eventTitle } from './event-words.ts';
import { NotificationForm } from './notification-form.tsx';

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
  const update = useMutation({
    mutationFn: () => routes.notification.update({ headers, body: { notificationId, active: !active } }),
  });
  const remove = useMutation({
    mutationFn: () => routes.notification.delete({ headers, body: { notificationId } }),
  });
  const test = useMutation({
    mutationFn: () => routes.notification.test({ headers, body: { notificationId } }),
    onSuccess: () => toast('A test message is on its way.'),
  });
  return (
    <div className="stack">
      <div className="page-head">
        <div>
          <h3>
            <code>{url}</code>
          </h3>
          <p>
            <Badge kind={active ? 'good' : 'warn'}>{active ? 'Active' : 'Paused'}</Badge>{' '}
            <span className="small muted">{events.map(eventTitle).join(', ')}</span>
          </p>
        </div>
        <div className="actions">
          <Button needs={['manage']} isPending={test.isPending} onPress={() => test.mutate()}>
            Send a test
          </Button>
          <PanelButton text="Edit" needs={['manage']} title="Edit notification">
            {(close) => <NotificationForm notification={notification} onDone={close} />}
          </PanelButton>
          <Button needs={['manage']} isPending={update.isPending} onPress={() => update.mutate()}>
            {active ? 'Pause' : 'Resume'}
          </Button>
          <ConfirmButton
            text="Delete"
            needs={['manage']}
            title="Delete this notification?"
            confirm="Delete notification"
            isPending={remove.isPending}
            onConfirm={() => remove.mutate()}
          >
            Nothing is sent to it any more, and its deliveries are deleted.
          </ConfirmButton>
        </div>
      </div>
      <SigningSecret
        read={() => routes.notification.readSecret({ headers, query: { notificationId } })}
        rotate={() => routes.notification.rotateSecret({ headers, body: { notificationId } })}
      >
        Messages are signed with the new secret immediately. Your server rejects them until it knows the new secret.
      </SigningSecret>
      <Problem error={update.error ?? remove.error ?? test.error} />
    </div>
  );
}
