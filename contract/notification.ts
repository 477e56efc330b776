import { z } from 'zod';
import { etag } from './fields/etag.ts';
import { exactly } from './fields/exactly.ts';
import { afterType, withForm } from './fields/form.ts';
import { count, decimalForm, seconds } from './fields/forms.ts';
import { maxIdLength, maxTankLowDays, maxTankLowWei } from './limits.ts';
import { digitsForm, pageQuery, textField, urlField } from './text-field.ts';

/** Events that an account holder can be notified of. */
export const notificationEvents = [
  'tank.low',
  'webhook.failing',
  'operation.sent',
  'operation.included',
  'operation.dropped',
  'operation.settled',
  'operation.failed',
  'operation.diverged',
  'payment.failed',
] as const;

/** Who takes the messages: a server of your own, or a service that shows them to people. */
export const notificationTargets = ['WEBHOOK', 'SLACK', 'DISCORD', 'TELEGRAM', 'PAGERDUTY'] as const;

const targetError = `target must be ${notificationTargets.slice(0, -1).join(', ')} or PAGERDUTY`;

const notificationId = textField('notificationId', maxIdLength);
const eventsError = `events must be one or more of ${notificationEvents.join(', ')}`;
const events = z
  .array(z.enum(notificationEvents, { error: eventsError }), { error: 'events must be an array' })
  .check(
    afterType(z.minLength(1, { error: eventsError })),
    afterType(z.maxLength(notificationEvents.length, { error: eventsError })),
  );

const weiError = 'thresholdWei must be a string of decimal digits';

const tankLowFields = {
  thresholdWei: withForm(
    z.string({ error: weiError }).regex(digitsForm(maxTankLowWei), { error: weiError }),
    decimalForm,
  )
    .optional()
    .describe(`The tank is low below this amount, in wei; 1 to ${maxTankLowWei}.`),
  daysLeft: z
    .number({ error: 'daysLeft must be a number' })
    .optional()
    .describe(`The tank is low if the balance is expected to last fewer days; 1 to ${maxTankLowDays}.`),
};
const whenTankIsLow = 'When `tank.low` is sent: as soon as one of the two thresholds is crossed.';

const TankLowRequestSchema = exactly(tankLowFields).describe(whenTankIsLow);
export const TankLowSchema = z.object(tankLowFields).describe(whenTankIsLow);
export type TankLow = z.infer<typeof TankLowSchema>;

export const NotificationSchema = z.object({
  notificationId: z.string(),
  target: z.enum(notificationTargets).describe('`WEBHOOK` gets signed events, the others texts for people.'),
  url: z
    .string()
    .describe('Where messages go. Only its origin if `target` is not `WEBHOOK`: the rest grants the right to post.'),
  recipient: z
    .string()
    .optional()
    .describe(
      'To recognise it: the chat of `TELEGRAM`, else the last four characters of what is secret. Absent for `WEBHOOK`.',
    ),
  events: z.array(z.enum(notificationEvents)),
  tankLow: TankLowSchema.optional(),
  active: z.boolean().describe('While inactive, nothing is queued, and waiting messages stay.'),
  etag,
});
export type NotificationItem = z.infer<typeof NotificationSchema>;

export const CreateNotificationRequestSchema = exactly({
  target: z.enum(notificationTargets, { error: targetError }).optional().describe('`WEBHOOK` by default.'),
  url: urlField('url')
    .optional()
    .describe(
      'The URL to call; of `SLACK` and `DISCORD` the incoming webhook. Optional for `TELEGRAM` and `PAGERDUTY`, to name ' +
        'another server than `https://api.telegram.org` or `https://events.pagerduty.com`.',
    ),
  token: textField('token', maxIdLength)
    .optional()
    .describe(
      'The token of the bot for `TELEGRAM`, the integration key (Events API v2) for `PAGERDUTY`. Never returned.',
    ),
  chatId: textField('chatId', maxIdLength)
    .optional()
    .describe('For `TELEGRAM`: the number of the chat, or `@` and the name of a public channel.'),
  events,
  tankLow: TankLowRequestSchema.optional(),
});
export type CreateNotificationRequest = z.infer<typeof CreateNotificationRequestSchema>;

export const UpdateNotificationRequestSchema = exactly({
  notificationId,
  active: z.boolean({ error: 'active must be a boolean value' }).optional(),
  events: events.optional(),
  tankLow: TankLowRequestSchema.optional(),
});
export type UpdateNotificationRequest = z.infer<typeof UpdateNotificationRequestSchema>;

/** The body of a call that is about one destination. */
export const NotificationIdRequestSchema = exactly({ notificationId });
export type NotificationIdRequest = z.infer<typeof NotificationIdRequestSchema>;

export const NotificationIdQuerySchema = exactly({ notificationId });
export type NotificationIdQuery = z.infer<typeof NotificationIdQuerySchema>;

export const NotificationSecretSchema = z.object({
  secret: z.string().describe('Signs the messages, in the format of Standard Webhooks (`whsec_…`).'),
});
export type NotificationSecret = z.infer<typeof NotificationSecretSchema>;

/** What a message can be about: an event, or a test. */
export const notificationTypes = [...notificationEvents, 'test'] as const;

/** States of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'failed', 'dropped'] as const;

export const NotificationDeliverySchema = z.object({
  deliveryId: z.string().describe('Prefixed with `msg_`, this is the `webhook-id` header of all attempts.'),
  notificationId: z.string(),
  type: z.enum(notificationTypes),
  state: z.enum(deliveryStates),
  attempts: count,
  createdAt: seconds,
  lastAttemptAt: seconds.optional().describe('Unix seconds.'),
  lastStatus: z.int().optional().describe('HTTP status of the last attempt, if there was a response.'),
  lastProblem: z.string().optional().describe('Why the last attempt failed.'),
  nextAttemptAt: seconds
    .optional()
    .describe('Unix seconds. For pending deliveries, unless the destination is inactive.'),
});
export type NotificationDeliveryItem = z.infer<typeof NotificationDeliverySchema>;

export const NotificationDeliveryPageSchema = z.object({
  deliveries: z.array(NotificationDeliverySchema).describe('Newest first.'),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last one.'),
});
export type NotificationDeliveryPage = z.infer<typeof NotificationDeliveryPageSchema>;

export const ListNotificationDeliveriesQuerySchema = exactly({
  notificationId: notificationId.optional().describe('Only deliveries to this destination.'),
  state: z
    .enum(deliveryStates, { error: `state must be ${deliveryStates.join(', ')}` })
    .optional()
    .describe('Only deliveries in this state.'),
  ...pageQuery('Deliveries'),
});
export type ListNotificationDeliveriesQuery = z.input<typeof ListNotificationDeliveriesQuerySchema>;

export const RedeliverNotificationRequestSchema = exactly({ deliveryId: textField('deliveryId', maxIdLength) });
export type RedeliverNotificationRequest = z.infer<typeof RedeliverNotificationRequestSchema>;
