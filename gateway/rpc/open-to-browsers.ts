/**
 * Browsers may call the RPC endpoint from any site. Its only credential is in the address, so no referrer may be sent. The
 * other headers are helmet's for the management side, for answers that are never pages.
 */
export const openToBrowsers = new Map(
  Object.entries({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'x-request-id, x-decision-id, retry-after',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-frame-options': 'DENY',
  }),
);

/** The answer to a browser that asks whether it may send an RPC request. */
export const preflight = {
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type, accept, authorization, x-request-id, *',
  'access-control-max-age': '86400',
  allow: 'POST, OPTIONS',
} as const;
