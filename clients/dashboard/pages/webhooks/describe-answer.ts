import type { WebhookAnswerItem } from '@tollfree/contract/webhook';

/** What came of a call, in a sentence. */
export function describeAnswer({ verdict, status, problem, durationMs }: WebhookAnswerItem): string {
  const time = `${durationMs} ms`;
  if (verdict === 'unavailable') return `The webhook ${problem ?? 'gave no usable answer'}. It took ${time}.`;
  const said = verdict === 'approved' ? 'yes: the operation would be sponsored' : 'no: the operation would be refused';
  return `The webhook said ${said}. It answered ${status ?? ''} in ${time}.`;
}
