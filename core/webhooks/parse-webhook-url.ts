import type { WebhookConfig } from '../domain/core-config.ts';
import { webhookLimits } from './webhook-limits.ts';

// The WHATWG parser repairs blanks, control characters, backslashes and missing slashes; a URL to be kept needs none.
const plainHttpUrl = /^https?:\/\/[^\\\p{Cc}\p{Z}]+$/iu;

/**
 * Reads a webhook URL without any I/O: absolute http(s), no user or password, at most 2,048 characters as given and as
 * sent. `not-reachable` stands for plain http where only https is allowed. A fragment is permitted and never sent.
 */
export function parseWebhookUrl(
  url: string,
  config: Pick<WebhookConfig, 'allowHttp'>,
): URL | 'not-a-url' | 'not-reachable' {
  if (url.length > webhookLimits.urlLength || !plainHttpUrl.test(url) || !URL.canParse(url)) return 'not-a-url';
  const parsed = new URL(url);
  if (parsed.href.length > webhookLimits.urlLength) return 'not-a-url';
  if (parsed.username !== '' || parsed.password !== '') return 'not-a-url';
  if (parsed.protocol !== 'https:' && !config.allowHttp) return 'not-reachable';
  return parsed;
}
