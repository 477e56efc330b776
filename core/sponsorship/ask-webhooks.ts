import { accept, type Result } from '../domain/result.ts';
import type { SponsorProfile } from '../paymasters/sponsor-profiles.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';

/** Fifth step: all active webhooks are asked at once and all must agree. Missing data is sent as `{}`. */
export async function askWebhooks(
  webhooks: WebhookCaller,
  profile: SponsorProfile,
  dataJson: string | undefined,
): Promise<Result<true>> {
  const answers = await Promise.all(profile.webhooks.map((webhook) => webhooks.call(webhook, dataJson ?? '{}')));
  const refusals = answers.filter((answer) => !answer.ok);
  // A plain no outranks an outage: it is what the account holder decided.
  return refusals.find((answer) => answer.refusal.reason === 'WEBHOOK_REFUSED') ?? refusals[0] ?? accept(true);
}
