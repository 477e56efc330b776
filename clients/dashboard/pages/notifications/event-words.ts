import type { NotificationItem } from '@tollfree/contract/notification';

export type NotificationEvent = NotificationItem['events'][number];

/** Labels of the events, in the order of the form. */
export const eventLabels: Readonly<Record<NotificationEvent, { readonly title: string; readonly hint: string }>> = {
  'tank.low': { title: 'Gas tank runs low', hint: 'Below an amount, or below a number of days.' },
  'webhook.failing': { title: 'Webhook is failing', hint: 'One of your webhooks gives no usable answer.' },
  'operation.sent': { title: 'Operation sent', hint: 'A bundler accepted it through the paymaster URL.' },
  'operation.included': {
    title: 'Operation included',
    hint: 'It landed, whether its calls succeeded or not. Sent once.',
  },
  'operation.dropped': { title: 'Operation dropped', hint: 'A bundler had accepted it, but it can no longer land.' },
  'operation.settled': { title: 'Operation landed', hint: 'With its cost and its transaction.' },
  'operation.failed': { title: 'Operation failed', hint: 'It landed, but its own call reverted. The gas was paid.' },
  'operation.diverged': {
    title: 'Operation failed unlike its simulation',
    hint: 'Its call reverted, although it succeeded in the simulation before the signature.',
  },
  'payment.failed': { title: 'Token payment failed', hint: 'A user should have paid in a token but did not.' },
};

export function eventTitle(event: string): string {
  return event === 'test' ? 'Test message' : (eventLabels[event as NotificationEvent]?.title ?? event);
}
