import type { WebhookAnswerItem } from '@tollfree/contract/webhook';

/** What came of a call, in a sentence. */
export function describeAnswer({ verdict, status, problem, durationMs }: WebhookAnswerItem): string {
  const time = `${durationMs} ms`;
  if (verdict === 'unavailable') return `The webhook ${problem ?? 'could not be relied on'}. It took ${time}.`;
  const said = verdict === 'approved' ? 'yes: the operation would be paid for' : 'no: the operation would be refused';
  return `The webhook said ${said}. It answered ${status ?? ''} in ${time}.`;
}
