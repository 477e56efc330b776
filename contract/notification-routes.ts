import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import {
  CreateNotificationRequestSchema,
  ListNotificationDeliveriesQuerySchema,
  NotificationDeliveryPageSchema,
  NotificationDeliverySchema,
  NotificationIdQuerySchema,
  NotificationIdRequestSchema,
  NotificationSchema,
  NotificationSecretSchema,
  RedeliverNotificationRequestSchema,
  UpdateNotificationRequestSchema,
} from './notification.ts';
import { needs, withApiKey } from './route-metadata.ts';

const contract = initContract();
const headers = PaymasterHeadersSchema;
const withBody = withApiKey('management', managementErrors.notificationNotFound);
const withoutBody = withApiKey('none', managementErrors.notificationNotFound);
const errors = { ...commonErrorResponses, 404: ErrorEnvelopeSchema };

/** Notification URLs of a paymaster, and the deliveries to them. */
export const notificationRouter = contract.router({
  create: {
    method: 'POST',
    path: '/notification',
    summary: 'Register a URL for event notifications',
    headers,
    body: CreateNotificationRequestSchema,
    metadata: needs(['manage'], withApiKey('management')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Notification created', NotificationSchema) },
  },
  list: {
    method: 'GET',
    path: '/notification',
    summary: 'List the notification URLs',
    headers,
    metadata: needs(['read'], withApiKey('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Notification list fetched', z.array(NotificationSchema)) },
  },
  update: {
    method: 'PATCH',
    path: '/notification',
    summary: 'Change a notification’s events or its active state',
    headers,
    body: UpdateNotificationRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelopeWith('Notification updated', NotificationSchema) },
  },
  delete: {
    method: 'DELETE',
    path: '/notification',
    summary: 'Delete a notification and its delivery log',
    headers,
    body: NotificationIdRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelope('Notification deleted') },
  },
  readSecret: {
    method: 'GET',
    path: '/notification/secret',
    summary: 'Read the secret that signs a notification’s messages',
    headers,
    query: NotificationIdQuerySchema,
    metadata: needs(['manage'], withoutBody),
    responses: { ...errors, 200: envelopeWith('Notification secret fetched', NotificationSecretSchema) },
  },
  rotateSecret: {
    method: 'POST',
    path: '/notification/secret',
    summary: 'Replace the secret that signs a notification’s messages',
    headers,
    body: NotificationIdRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelopeWith('Notification secret rotated', NotificationSecretSchema) },
  },
  listDeliveries: {
    method: 'GET',
    path: '/notification/deliveries',
    summary: 'List sent and pending messages',
    headers,
    query: ListNotificationDeliveriesQuerySchema,
    metadata: needs(['read'], withoutBody),
    responses: { ...errors, 200: envelopeWith('Notification deliveries fetched', NotificationDeliveryPageSchema) },
  },
  redeliver: {
    method: 'POST',
    path: '/notification/redeliver',
    summary: 'Send a message again',
    headers,
    body: RedeliverNotificationRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelopeWith('Notification queued', NotificationDeliverySchema) },
  },
  test: {
    method: 'POST',
    path: '/notification/test',
    summary: 'Send a test message',
    headers,
    body: NotificationIdRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelopeWith('Notification queued', NotificationDeliverySchema) },
  },
});
