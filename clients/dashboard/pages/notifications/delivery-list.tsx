import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { NotificationDeliveryItem, NotificationItem } from '@tollfree/contract/notification';
import { live } from '../../api/live.ts';
import { deliveriesQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Live, Loaded, LoadMore } from '../../parts/loaded.tsx';
import { Age } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';
import { counted } from '../../parts/text/counted.ts';
import { eventTitle } from './event-words.ts';
import { destinationText } from './targets.ts';

const states = {
  pending: { kind: 'info', text: 'Pending' },
  delivered: { kind: 'good', text: 'Delivered' },
  failed: { kind: 'bad', text: 'Failed' },
  dropped: { kind: 'warn', text: 'Dropped' },
} as const;

/** Deliveries with their outcome, and buttons to send them again. */
export function DeliveryList({ notifications }: { readonly notifications: readonly NotificationItem[] }) {
  const paymaster = usePaymaster();
  const deliveries = deliveriesQuery(paymaster, undefined);
  const query = useInfiniteQuery({ ...deliveries, refetchInterval: live() });
  const redeliver = useMutation({
    mutationFn: (deliveryId: string) =>
      routes.notification.redeliver({ headers: headersOf(paymaster), body: { deliveryId } }),
  });
  const nameOf = (id: string) => {
    const to = notifications.find(({ notificationId }) => notificationId === id);
    return to === undefined ? id : destinationText(to);
  };
  return (
    <Card title="Deliveries" actions={<Live query={query} />}>
      <Problem error={redeliver.error} />
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.deliveries);
          if (rows.length === 0) return <Empty title="Nothing was sent yet.">Send a test to start.</Empty>;
          return (
            <DataTable
              caption="Deliveries"
              layout="lines"
              rows={rows}
              keyOf={({ deliveryId }) => deliveryId}
              columns={[
                {
                  title: 'Event',
                  cell: ({ type, notificationId }) => (
                    <div>
                      {eventTitle(type)}
                      <code className="under one-line" title={nameOf(notificationId)}>
                        {nameOf(notificationId)}
                      </code>
                    </div>
                  ),
                },
                { title: 'State', cell: (delivery) => <State delivery={delivery} /> },
                {
                  title: 'Action',
                  cell: ({ deliveryId, type }) => (
                    <Button
                      kind="small"
                      needs={['manage']}
                      label={`Send “${eventTitle(type)}” again`}
                      isPending={redeliver.isPending}
                      onPress={() => redeliver.mutate(deliveryId)}
                    >
                      Send again
                    </Button>
                  ),
                },
                { title: 'Age', isNumber: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
              ]}
            />
          );
        }}
      </Loaded>
      <LoadMore query={query} label="Load older" />
    </Card>
  );
}

function State({ delivery }: { readonly delivery: NotificationDeliveryItem }) {
  const { state, lastStatus, lastProblem, attempts } = delivery;
  const { kind, text } = states[state];
  const answer = [lastStatus === undefined ? [] : [`HTTP ${lastStatus}`], lastProblem ?? []].flat();
  const why = [...answer, attempts > 1 ? counted(attempts, 'attempt') : []].flat().join(', ');
  return (
    <div>
      <Badge kind={kind}>{text}</Badge>
      {why === '' ? null : <span className="under">{why}</span>}
    </div>
  );
}
