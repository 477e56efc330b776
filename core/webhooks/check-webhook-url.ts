import type { WebhookConfig } from '../domain/core-config.ts';
import { createAddressCheck, type ResolveHost, reachableAddresses, resolveHost } from './resolve-host.ts';
import { webhookLimits } from './webhook-limits.ts';

type WebhookUrlVerdict = 'accepted' | 'not-a-url' | 'not-reachable';

/**
 * Whether a URL can be registered as a webhook.
 *
 * - `not-a-url`: not an absolute http(s) URL, longer than 2,048 characters, or with a user or password.
 * - `not-reachable`: plain http where only https is allowed, a name without an address or not resolved in time, or a host of
 *   which even one address is neither public nor in `config.allowedRanges`.
 *
 * Names change, so the same address check runs again on every connection of a callback.
 */
export async function checkWebhookUrl(
  url: string,
  config: WebhookConfig,
  resolve: ResolveHost = resolveHost,
): Promise<WebhookUrlVerdict> {
  const parsed = parseWebhookUrl(url, config);
  if (typeof parsed === 'string') return parsed;

  const timeoutMs = Math.min(config.timeoutMs, webhookLimits.timeoutMs);
  const rules = { isAllowed: createAddressCheck(config.allowedRanges), resolve, timeoutMs };
  const { addresses } = await reachableAddresses(parsed.hostname, rules);
  return addresses.length > 0 ? 'accepted' : 'not-reachable';
}

// The WHATWG parser repairs blanks, control characters, backslashes and missing slashes; a stored URL must not need that.
const plainHttpUrl = /^https?:\/\/[^\\\p{Cc}\p{Z}]+$/iu;

/**
 * Parses a webhook URL without any I/O: absolute http(s), no user or password, at most 2,048 characters as given and as
 * sent. `not-reachable` means plain http where only https is allowed. A fragment is permitted and never sent.
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
