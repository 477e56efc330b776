import { Agent } from 'undici';
import type { WebhookConfig } from '../domain/core-config.ts';
import { boundInformational, maxInformationalAnswers } from '../node/rpc/post-json.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { createAddressCheck, resolveHost } from './resolve-host.ts';
import { webhookLimits } from './webhook-caller.ts';

/** The result: a status with the whole body, or the end of a sentence that says why there is none. */
export type GotText = { readonly status: number; readonly text: string } | { readonly problem: string };

/**
 * GETs with the address rules of webhooks: https to public addresses, unless `config` allows others. The whole answer must
 * arrive within `timeoutMs` and have at most `maxBytes`; redirects are not followed, and nothing is decompressed. Each call
 * has its own connection. Never rejects.
 */
export function createGuardedGet(
  config: WebhookConfig,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
): (url: URL) => Promise<GotText> {
  const rules = { isAllowed: createAddressCheck(config.allowedRanges), resolve: resolveHost, timeoutMs };
  const agent = new Agent({
    connect: createGuardedConnector(rules),
    pipelining: 0,
    maxHeaderSize: webhookLimits.answerHeaderBytes,
    maxResponseSize: maxBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  }).compose(boundInformational);
  return async (url) => {
    if (url.protocol !== 'https:' && !config.allowHttp) return { problem: 'is not reached over https' };
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await body.text();
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') return { problem: 'answered in a compressed form' };
      return { status: statusCode, text };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { problem: `answered more than ${maxBytes} bytes` };
      return { problem: describeCallFailure(error, timeoutMs) };
    }
  };
}

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
