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

/** URLs that are told what happens to a paymaster, and what they were told. */
export const notificationRouter = contract.router({
  create: {
    method: 'POST',
    path: '/notification',
    summary: 'Register a URL to be told about events',
    headers,
    body: CreateNotificationRequestSchema,
    metadata: needs(['manage'], withApiKey('management')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Notification created', NotificationSchema) },
  },
  list: {
    method: 'GET',
    path: '/notification',
    summary: 'List the URLs that are told about events',
    headers,
    metadata: needs(['read'], withApiKey('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Notification list fetched', z.array(NotificationSchema)) },
  },
  update: {
    method: 'PATCH',
    path: '/notification',
    summary: 'Change what a URL is told about, or whether',
    headers,
    body: UpdateNotificationRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelopeWith('Notification updated', NotificationSchema) },
  },
  delete: {
    method: 'DELETE',
    path: '/notification',
    summary: 'Delete a URL and the log of what it was told',
    headers,
    body: NotificationIdRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelope('Notification deleted') },
  },
  readSecret: {
    method: 'GET',
    path: '/notification/secret',
    summary: 'Read the secret that signs the messages to a URL',
    headers,
    query: NotificationIdQuerySchema,
    metadata: needs(['manage'], withoutBody),
    responses: { ...errors, 200: envelopeWith('Notification secret fetched', NotificationSecretSchema) },
  },
  rotateSecret: {
    method: 'POST',
    path: '/notification/secret',
    summary: 'Replace the secret that signs the messages to a URL',
    headers,
    body: NotificationIdRequestSchema,
    metadata: needs(['manage'], withBody),
    responses: { ...errors, 200: envelopeWith('Notification secret rotated', NotificationSecretSchema) },
  },
  listDeliveries: {
    method: 'GET',
    path: '/notification/deliveries',
    summary: 'List what was sent or is to be sent',
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
