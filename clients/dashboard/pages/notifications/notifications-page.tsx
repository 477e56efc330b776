import { useQuery } from '@tanstack/react-query';
import { notificationsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { NotificationForm } from './notification-form.tsx';
import { NotificationList } from './notification-list.tsx';

/** The URLs that are notified of events, and their deliveries. */
export function NotificationsPage() {
  const query = useQuery(notificationsQuery(usePaymaster()));
  return (
    <Page
      title="Notifications"
      lead="Your server is called after an event, such as a low gas tank. Its answer decides nothing."
      actions={
        <PanelButton text="New notification" kind="primary" needs={['manage']} title="New notification">
          {(close) => <NotificationForm onDone={close} />}
        </PanelButton>
      }
    >
      <Loaded query={query}>
        {(notifications) => (
          <>
            <Card title="URLs">
              {notifications.length === 0 ? (
                <Empty title="No notifications yet.">Add a URL to learn of a low tank before it is empty.</Empty>
              ) : (
                <NotificationList notifications={notifications} />
              )}
            </Card>
            {notifications.length === 0 ? null : <DeliveryList notifications={notifications} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
