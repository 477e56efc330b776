import { maxInformationalAnswers } from '../node/rpc/post-json.ts';
import { webhookLimits } from './webhook-limits.ts';

const sentences: Readonly<Record<string, string>> = {
  UND_ERR_RES_EXCEEDED_MAX_SIZE: `answered more than ${webhookLimits.answerBytes} bytes`,
  UND_ERR_HEADERS_OVERFLOW: `answered with more than ${webhookLimits.answerHeaderBytes} bytes of headers`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'answered with a body that is not as long as announced',
  INFORMATIONAL_FLOOD: `answered more than ${maxInformationalAnswers} times with a status below 200`,
  UND_ERR_SOCKET: 'closed the connection before it responded',
  ECONNRESET: 'closed the connection before it responded',
  UND_ERR_DESTROYED: 'was not waited for: the service is stopping',
  UND_ERR_CLOSED: 'was not waited for: the service is stopping',
};

const tlsCodes = /CERT|SIGNATURE|ISSUER|^ERR_(TLS|SSL)|^EPROTO$/;

/**
 * Why a callback got no complete answer, as the end of "Webhook <id> …". Refused, unresolvable and forbidden addresses have
 * the same text, so that a webhook cannot probe the operator's network.
 */
export function describeCallFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'could not be reached';
  if (error.name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`;
  const { code = '' }: NodeJS.ErrnoException = error;
  if (error.name === 'HTTPParserError') return 'answered something that is not HTTP';
  if (tlsCodes.test(code)) return 'has a TLS certificate or configuration that is not accepted';
  return sentences[code] ?? 'could not be reached';
}
