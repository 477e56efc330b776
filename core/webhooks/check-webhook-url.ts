import type { WebhookConfig } from '../domain/core-config.ts';
import { parseWebhookUrl } from './parse-webhook-url.ts';
import { createAddressCheck } from './public-address.ts';
import { reachableAddresses } from './reachable-addresses.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';
import { webhookLimits } from './webhook-limits.ts';

export type WebhookUrlVerdict = 'accepted' | 'not-a-url' | 'not-reachable';

/**
 * Says whether a URL can be registered as a webhook.
 *
 * - `not-a-url`: not an absolute http(s) URL, longer than 2,048 characters, or with a user or password in it.
 * - `not-reachable`: plain http where only https is allowed, a name that has no address or could not be resolved in
 *   time, or a host of which even one address is neither public nor in `config.allowedRanges`.
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
