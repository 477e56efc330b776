import { counted } from '@tollfree/contract/counted';
import { formatEther } from 'viem';
import { z } from 'zod';
import type { NotificationType } from '../domain/notification.ts';

/** A message for people. Plain text: each service escapes what is markup to it. */
export type NotificationText = {
  /** One line: what happened to which paymaster. */
  readonly title: string;
  readonly lines: readonly string[];
  readonly severity: 'info' | 'warning' | 'error';
  /** Equal for all messages about one thing, so that a service can put them together. */
  readonly subject: string;
  /** What the message is about, for services that list sources. */
  readonly source: string;
};

const digits = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);

/** What is stored of a message, as far as texts need it. */
const StoredSchema = z.object({
  type: z.string(),
  chainId: z.number(),
  paymasterId: z.string(),
  data: z
    .object({
      available: digits,
      daysLeft: z.number(),
      webhookId: z.string(),
      sender: z.string(),
      userOperationHash: z.string(),
      txHash: z.string(),
      charge: digits,
      success: z.boolean(),
      because: z.string(),
    })
    .partial(),
});

type Data = z.output<typeof StoredSchema>['data'];
type Described = Pick<NotificationText, 'severity' | 'lines'> & { readonly what: string };

/** What an event means to the people who are told, and what they can do. */
const descriptions: Readonly<Record<NotificationType, (data: Data, coin: (wei: bigint) => string) => Described>> = {
  test: () => ({
    what: 'Test message',
    severity: 'info',
    lines: ['Someone in your account sent it to try this destination.'],
  }),
  'tank.low': ({ available, daysLeft }, coin) => ({
    what: 'The gas tank runs low',
    severity: 'error',
    lines: [
      ...(available === undefined ? [] : [`Available: ${coin(available)}.`]),
      ...(daysLeft === undefined ? [] : [`It lasts about ${counted(Math.floor(daysLeft * 10) / 10, 'day')}.`]),
      'Deposit to the tank: once it is empty, operations are refused.',
    ],
  }),
  'webhook.failing': ({ webhookId }) => ({
    what: 'A webhook is failing',
    severity: 'error',
    lines: ['It gives no usable answer, so operations that need it are refused.', ...line('Webhook', webhookId)],
  }),
  'operation.sent': (data) => ({ what: 'An operation was sent', severity: 'info', lines: ofOperation(data) }),
  'operation.included': (data, coin) => ({
    what: data.success === false ? 'An operation landed, but its calls reverted' : 'An operation landed',
    severity: data.success === false ? 'warning' : 'info',
    lines: ofOperation(data, coin),
  }),
  'operation.dropped': (data) => ({
    what: 'An operation can no longer land',
    severity: 'warning',
    lines: [...line('Reason', data.because), ...ofOperation(data)],
  }),
  'operation.settled': (data, coin) => ({
    what: 'An operation landed',
    severity: 'info',
    lines: ofOperation(data, coin),
  }),
  'operation.failed': (data, coin) => ({
    what: 'An operation failed: its calls reverted, and the gas was paid',
    severity: 'warning',
    lines: ofOperation(data, coin),
  }),
  'operation.diverged': (data, coin) => ({
    what: 'An operation failed, although its simulation had succeeded',
    severity: 'warning',
    lines: ofOperation(data, coin),
  }),
  'payment.failed': (data, coin) => ({
    what: 'A user did not pay in tokens, so the gas tank paid',
    severity: 'warning',
    lines: ofOperation(data, coin),
  }),
};

function line(label: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${label}: ${value}`];
}

function ofOperation({ sender, userOperationHash, txHash, charge }: Data, coin?: (wei: bigint) => string) {
  return [
    ...line('Sender', sender),
    ...line('User operation', userOperationHash),
    ...line('Transaction', txHash),
    ...line('Cost', charge === undefined ? undefined : coin?.(charge)),
  ];
}

/**
 * The text of a stored message about a paymaster of this name.
 *
 * @throws Error when the stored message is not one that `queueDelivery` wrote.
 */
export function notificationText(payload: string, paymasterName: string): NotificationText {
  const { type, chainId, paymasterId, data } = StoredSchema.parse(JSON.parse(payload));
  const describe = descriptions[type as NotificationType];
  if (describe === undefined) throw new Error(`There is no text for a message of type ${type}.`);
  const coin = (wei: bigint) => `${formatEther(wei)} of the coin of chain ${chainId}`;
  const { what, severity, lines } = describe(data, coin);
  return {
    title: `${paymasterName}: ${what}`,
    lines,
    severity,
    subject: [paymasterId, type, data.webhookId ?? data.userOperationHash ?? ''].join(' ').trim(),
    source: `Tollfree paymaster ${paymasterName} on chain ${chainId}`,
  };
}
