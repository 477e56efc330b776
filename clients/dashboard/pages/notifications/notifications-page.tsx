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

/** Who is notified of events, and what was delivered. */
export function NotificationsPage() {
  const query = useQuery(notificationsQuery(usePaymaster()));
  return (
    <Page
      title="Notifications"
      lead="A message to your team or your server after an event, such as a low gas tank."
      doc="notifications"
      actions={
        <PanelButton text="New notification" kind="primary" needs={['manage']} title="New notification">
          {(close) => <NotificationForm onDone={close} />}
        </PanelButton>
      }
    >
      <Loaded query={query}>
        {(notifications) => (
          <>
            <Card title="Destinations">
              {notifications.length === 0 ? (
                <Empty title="No notifications yet.">
                  No one is notified when the gas tank runs low. For example: a message to your team’s Slack channel
                  three days before the tank is empty. Discord, Telegram, PagerDuty and your own server work too.
                </Empty>
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
