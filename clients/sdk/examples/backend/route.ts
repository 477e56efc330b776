/**
 * `app/api/paymaster/route.ts` of a Next.js application, or any handler for the web's `Request`. It keeps the apiKey, which
 * is in PAYMASTER_URL, and forwards paymaster requests. A page gives this route's URL to its clients. It signs nothing.
 */

const paymasterUrl = process.env.PAYMASTER_URL ?? '';

/** Larger than any user operation, in bytes. */
const maxBodyBytes = 256 * 1024;

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

/** The method of a single JSON-RPC request; undefined for anything else. */
function methodOf(text: string): string | undefined {
  try {
    const sent: unknown = JSON.parse(text);
    const method = typeof sent === 'object' && sent !== null && 'method' in sent ? sent.method : undefined;
    return typeof method === 'string' ? method : undefined;
  } catch {
    return undefined;
  }
}

export async function POST(request: Request): Promise<Response> {
  if (paymasterUrl === '') throw new Error('Set PAYMASTER_URL to the URL of your paymaster.');
  // An application checks here whether the visitor is signed in, and their number of requests.
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) return refuse(413, -32_600, 'Too large');
  const text = await request.text();
  if (text.length > maxBodyBytes) return refuse(413, -32_600, 'Too large');
  const method = methodOf(text);
  if (method === undefined) return refuse(400, -32_600, 'A single JSON-RPC request is expected');
  if (!method.startsWith('pm_')) return refuse(404, -32_601, 'Only methods of a paymaster are handed on');
  try {
    const answer = await fetch(paymasterUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
      signal: AbortSignal.timeout(30_000),
    });
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return new Response(await answer.text(), { status: answer.status, headers });
  } catch {
    // No cause: it contains the URL, and with it the apiKey.
    return refuse(502, -32_603, 'The paymaster does not respond');
  }
}
