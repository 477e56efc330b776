/** The HTTP methods that a webhook can be called with. */
export const webhookRequestTypes = ['GET', 'POST'] as const;
export type WebhookRequestType = (typeof webhookRequestTypes)[number];

/** A URL of the account holder that is asked whether a sponsorship's policies hold (interface section 6). */
export type Webhook = {
  readonly webhookId: string;
  readonly webhookUrl: string;
  readonly requestType: WebhookRequestType;
  readonly active: boolean;
};
