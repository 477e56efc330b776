import { z } from 'zod';
import { readAnswer } from './read-answer.ts';
import type { TargetFormat } from './target.ts';

const AnswerSchema = z.object({ message: z.string().optional(), errors: z.array(z.string()).optional() });

/**
 * PagerDuty's Events API v2 (https://developer.pagerduty.com/docs/send-alert-event): opens an incident, or adds to the open one
 * about the same subject.
 */
export const pagerduty: TargetFormat = {
  requestOf: ({ url, token }, { title, lines, severity, subject, source }) => ({
    url: `${url.replace(/\/+$/, '')}/v2/enqueue`,
    body: JSON.stringify({
      routing_key: token,
      event_action: 'trigger',
      dedup_key: subject,
      payload: { summary: title, source, severity, custom_details: { details: lines.join('\n') } },
    }),
  }),
  reasonOf: (answer) => {
    const read = readAnswer(AnswerSchema, answer);
    const reasons = [read?.message, ...(read?.errors ?? [])].filter((reason) => reason !== undefined);
    return reasons.length === 0 ? undefined : reasons.join('. ');
  },
};
