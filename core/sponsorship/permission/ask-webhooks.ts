import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../management/paymasters/sponsor-profile.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';

/** Fifth step: all active webhooks are asked at once and all must agree. Missing data is sent as `{}`. */
export async function askWebhooks(
  { webhooks, draft }: SponsorshipRun,
  profile: SponsorProfile,
  dataJson: string | undefined,
): Promise<Result<true>> {
  const answers = await Promise.all(
    profile.webhooks.map(async (webhook) => ({ webhook, answer: await webhooks.call(webhook, dataJson ?? '{}') })),
  );
  for (const { webhook, answer } of answers) {
    noteResult(draft, { rule: 'webhook', checked: `webhook ${webhook.webhookId}${webhooks.remark ?? ''}` }, answer);
  }
  const refusals = answers.map(({ answer }) => answer).filter((answer) => !answer.ok);
  // A plain no outranks an outage: it is what the account holder decided.
  return refusals.find((answer) => answer.refusal.reason === 'WEBHOOK_REFUSED') ?? refusals[0] ?? accept(true);
}
