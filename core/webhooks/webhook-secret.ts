import { randomBytes } from 'node:crypto';

/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32;

/** A new secret in the form of Standard Webhooks, `whsec_<base64>`. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** Ties a sealed secret to its row. */
export function webhookSecretBinding(webhookId: string): string {
  return `webhooks/${webhookId}/secret`;
}
