import type { ExplainSponsorshipRequest } from '@tollfree/contract/sponsorship';

type ReadRequest =
  | { readonly ok: true; readonly body: ExplainSponsorshipRequest }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses the usual forms of a request: the JSON-RPC body, its `params`, or only the user operation. The service checks it.
 */
export function readRequest(text: string): ReadRequest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'This is not JSON. Paste the body that your application sends to the RPC URL.' };
  }
  if (Array.isArray(json)) return { ok: true, body: { params: json } as ExplainSponsorshipRequest };
  if (typeof json !== 'object' || json === null) {
    return { ok: false, problem: 'This is neither a request nor a user operation.' };
  }
  if ('params' in json && Array.isArray(json.params)) {
    const { method, params } = json as { method?: string; params: unknown[] };
    return { ok: true, body: { ...(method === undefined ? {} : { method }), params } as ExplainSponsorshipRequest };
  }
  if ('sender' in json) return { ok: true, body: askFor(json) };
  return { ok: false, problem: 'This has neither params nor a sender.' };
}

/** Asks whether a user operation would be sponsored. */
export function askFor(operation: object): ExplainSponsorshipRequest {
  const context = { mode: 'SPONSORED', calculateGasLimits: true };
  return { method: 'pm_getFeeQuoteOrData', params: [operation, context] } as ExplainSponsorshipRequest;
}
