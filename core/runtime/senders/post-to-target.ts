import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { notificationText } from '../../outbox/notification-text.ts';
import type { PeopleTarget } from '../../outbox/targets/target.ts';
import { targetFormats } from '../../outbox/targets/target-formats.ts';
import { describeCallFailure } from '../../webhooks/guarded-get.ts';
import type { AttemptOutcome } from './due-deliveries.ts';
import { judgeStatus } from './judge-status.ts';

const AddressSchema = z.object({
  url: z.string(),
  token: z.string().exactOptional(),
  chatId: z.string().exactOptional(),
});

/** Most bytes of an answer that are read for its reason, and most characters of a reason that are kept. */
const maxAnswerBytes = 4_096;
const maxReasonLength = 200;

type PostedMessage = {
  readonly target: PeopleTarget;
  /** JSON of a `TargetAddress`. */
  readonly address: string;
  readonly payload: string;
  readonly paymasterName: string;
};

/**
 * Makes one attempt to post a message to a service for people, in the service's form. A failure has the reason that the service
 * gives, without anything of the address. Rejects only for a stored message or address that cannot be read.
 */
export async function postToTarget(
  pool: Dispatcher,
  { target, payload, paymasterName, ...stored }: PostedMessage,
  timeoutMs: number,
): Promise<AttemptOutcome> {
  const address = AddressSchema.parse(JSON.parse(stored.address));
  const format = targetFormats[target];
  const request = format.requestOf(address, notificationText(payload, paymasterName));
  const url = new URL(request.url);
  try {
    const { statusCode: status, body } = await pool.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': 'tollfree',
      },
      body: request.body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const outcome = judgeStatus(status);
    if (outcome.delivered) {
      await body.dump().catch(() => undefined);
      return outcome;
    }
    const answer = await readBeginning(body).catch(() => '');
    const reason = shownReason(format.reasonOf(answer), address);
    return reason === undefined ? outcome : { ...outcome, problem: `${outcome.problem}: ${reason}` };
  } catch (error) {
    return { delivered: false, problem: describeCallFailure(error, timeoutMs), outage: true };
  }
}

/** The first bytes of a body; the rest is not waited for. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString();
}

/** A reason that may be stored and shown; undefined for one that repeats a part of the address that is secret. */
function shownReason(reason: string | undefined, { url, token }: z.output<typeof AddressSchema>): string | undefined {
  const secrets = [url.split('/').at(-1), token].filter((secret) => secret !== undefined && secret !== '');
  if (reason === undefined || secrets.some((secret) => secret !== undefined && reason.includes(secret)))
    return undefined;
  return reason.replace(/[^\x20-\x7e]/g, '?').slice(0, maxReasonLength);
}
