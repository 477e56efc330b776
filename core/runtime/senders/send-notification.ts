import type { Dispatcher } from 'undici';
import { describeCallFailure } from '../../webhooks/describe-call-failure.ts';
import { signWebhook } from '../../webhooks/sign-webhook.ts';
import type { AttemptOutcome } from './due-deliveries.ts';

/** A message with its address. `now` is the time of this attempt, in Unix milliseconds. */
type SignableMessage = {
  readonly deliveryId: string;
  readonly url: URL;
  readonly secret: string;
  readonly payload: string;
  readonly now: number;
};

/**
 * Makes one attempt: a POST with the headers of Standard Webhooks, with the same id in every attempt and the time of this
 * one. Any 2xx status accepts the message; the answer's body is read within bounds and ignored. Never rejects.
 */
export async function sendNotification(
  pool: Dispatcher,
  message: SignableMessage,
  timeoutMs: number,
): Promise<AttemptOutcome> {
  const { deliveryId, url, secret, payload, now } = message;
  try {
    const { statusCode: status, body } = await pool.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': 'tollfree',
        ...signWebhook(secret, payload, now, `msg_${deliveryId}`),
      },
      body: payload,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump().catch(() => undefined);
    return judge(status);
  } catch (error) {
    return { delivered: false, problem: describeCallFailure(error, timeoutMs), outage: true };
  }
}

function judge(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return { delivered: true, status };
  const redirect = status >= 300 && status < 400;
  return {
    delivered: false,
    status,
    problem: redirect ? `answered ${status}, and redirects are not followed` : `answered ${status}`,
    outage: status >= 500 || status === 429,
  };
}
