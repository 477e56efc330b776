import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { NotificationDeliveryItem, NotificationItem } from '@tollfree/contract/notification';
import { deliveriesQuery, headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Notice, Problem } from '../../parts/problem.tsx';
import { destinationText } from './targets.ts';

/** How often the answer to a test is looked up until it is there, in milliseconds. */
const pollMs = 500;

/** Sends a test message to a notification's destination with `send`; `outcome` is what was answered. */
export function useTestMessage(notification: NotificationItem) {
  const { notificationId } = notification;
  const paymaster = usePaymaster();
  const test = useMutation({
    mutationFn: () => routes.notification.test({ headers: headersOf(paymaster), body: { notificationId } }),
  });
  const sentId = test.data?.deliveryId;
  const log = useInfiniteQuery({
    ...deliveriesQuery(paymaster, notificationId),
    enabled: sentId !== undefined,
    refetchInterval: ({ state }) => (findTried(state.data?.pages, sentId) === undefined ? pollMs : false),
  });
  const tried = findTried(log.data?.pages, sentId);
  const isPending = test.isPending || (sentId !== undefined && tried === undefined);
  return {
    send: { text: 'Send a test', onAction: () => test.mutate(), isPending },
    outcome: (
      <>
        <div role="status">
          {isPending ? <p className="small muted">Sending it …</p> : null}
          {tried === undefined ? null : (
            <Notice kind={tried.lastProblem === undefined ? 'good' : 'bad'}>
              {outcomeText(tried, destinationText(notification))}
            </Notice>
          )}
        </div>
        <Problem error={test.error} />
      </>
    ),
  };
}

type Pages = readonly { readonly deliveries: readonly NotificationDeliveryItem[] }[];

/** The delivery with this id, once an attempt at it has ended. */
function findTried(pages: Pages | undefined, sentId: string | undefined): NotificationDeliveryItem | undefined {
  return pages
    ?.flatMap(({ deliveries }) => deliveries)
    .find(({ deliveryId, attempts }) => deliveryId === sentId && attempts > 0);
}

function outcomeText({ lastStatus, lastProblem, state }: NotificationDeliveryItem, to: string): string {
  if (lastProblem === undefined) return `Delivered: ${to} answered ${lastStatus ?? 'it'}.`;
  const next = state === 'pending' ? ' It is tried again by itself.' : '';
  return `Not delivered: ${to} ${lastProblem}.${next}`;
}
