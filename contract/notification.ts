import { z } from 'zod';
import { afterType, withForm } from './fields/form.ts';
import { count, decimalForm, seconds } from './fields/forms.ts';
import { maxIdLength, maxTankLowDays, maxTankLowWei } from './limits.ts';
import { digitsForm, pageQuery, requestBody, textField, urlField } from './text-field.ts';

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

const notificationId = textField('notificationId', maxIdLength);
const eventsError = `events must be one or more of ${notificationEvents.join(', ')}`;
const events = z
  .array(z.enum(notificationEvents, { error: eventsError }), { error: 'events must be an array' })
  .check(
    afterType(z.minLength(1, { error: eventsError })),
    afterType(z.maxLength(notificationEvents.length, { error: eventsError })),
  );

const weiError = 'thresholdWei must be a string of decimal digits';

export const TankLowSchema = z
  .object(
    {
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
    },
    { error: 'tankLow must be an object' },
  )
  .describe('When `tank.low` is sent: as soon as one of the two thresholds is crossed.');
export type TankLow = z.infer<typeof TankLowSchema>;

export const NotificationSchema = z.object({
  notificationId: z.string(),
  url: z.string(),
  events: z.array(z.enum(notificationEvents)),
  tankLow: TankLowSchema.optional(),
  active: z.boolean().describe('While inactive, nothing is queued, and waiting messages stay.'),
});
export type NotificationItem = z.infer<typeof NotificationSchema>;

export const CreateNotificationRequestSchema = requestBody({
  url: urlField('url'),
  events,
  tankLow: TankLowSchema.optional(),
});
export type CreateNotificationRequest = z.infer<typeof CreateNotificationRequestSchema>;

export const UpdateNotificationRequestSchema = requestBody({
  notificationId,
  active: z.boolean({ error: 'active must be a boolean value' }).optional(),
  events: events.optional(),
  tankLow: TankLowSchema.optional(),
});
export type UpdateNotificationRequest = z.infer<typeof UpdateNotificationRequestSchema>;

/** The body of a call that is about one destination. */
export const NotificationIdRequestSchema = requestBody({ notificationId });
export type NotificationIdRequest = z.infer<typeof NotificationIdRequestSchema>;

export const NotificationIdQuerySchema = z.object({ notificationId });
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

export const ListNotificationDeliveriesQuerySchema = z.object({
  notificationId: notificationId.optional().describe('Only deliveries to this destination.'),
  state: z
    .enum(deliveryStates, { error: `state must be ${deliveryStates.join(', ')}` })
    .optional()
    .describe('Only deliveries in this state.'),
  ...pageQuery('Deliveries'),
});
export type ListNotificationDeliveriesQuery = z.input<typeof ListNotificationDeliveriesQuerySchema>;

export const RedeliverNotificationRequestSchema = requestBody({ deliveryId: textField('deliveryId', maxIdLength) });
export type RedeliverNotificationRequest = z.infer<typeof RedeliverNotificationRequestSchema>;
