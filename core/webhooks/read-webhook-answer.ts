import { parseJsonObject } from './parse-json-object.ts';
import { down, mistake, outage, type WebhookOutcome } from './webhook-outcome.ts';

/** An answer as it came. `text` is the raw body: nothing is ever decompressed. */
export type WebhookAnswer = {
  readonly status: number;
  readonly contentEncoding: string | undefined;
  readonly text: string;
};

/**
 * Judges an answer (interface 2.7): a 2xx status and a JSON object whose `arePoliciesVerified` is the boolean true
 * approves, false refuses, anything else cannot be relied on. A status that says "overloaded" or "broken" is an outage, and its
 * server's own where it is a 5xx. What came whole with another status is the application's word, understood or not: it may
 * be a no.
 */
export function readWebhookAnswer({ status, contentEncoding, text }: WebhookAnswer): WebhookOutcome {
  if (status >= 500 && status < 600) return down(`answered ${status}`);
  if (status >= 600 || status === 429) return outage(`answered ${status}`);
  if (status >= 300 && status < 400) return mistake(`answered ${status}, and redirects are not followed`);
  if (status < 200 || status >= 300) return mistake(`answered ${status}`);
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    return mistake('answered with a content-encoding although none was offered');
  }

  const answer = parseJsonObject(text);
  if (answer === undefined) return mistake('answered something that is not a JSON object');
  switch (answer.arePoliciesVerified) {
    case true:
      return { kind: 'approved' };
    case false:
      return { kind: 'refused' };
    default:
      return mistake('answered without a boolean arePoliciesVerified');
  }
}
