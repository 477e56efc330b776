import { Agent } from 'undici';
import type { WebhookConfig } from '../domain/core-config.ts';
import { boundInformational } from '../node/rpc/post-json.ts';
import { describeCallFailure } from './describe-call-failure.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { createAddressCheck } from './public-address.ts';
import { resolveHost } from './resolve-host.ts';
import { webhookLimits } from './webhook-limits.ts';

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
    connect: createGuardedConnector({ rules, timeoutMs }),
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
