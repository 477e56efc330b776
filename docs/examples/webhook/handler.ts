/**
 * A webhook that decides: `app/api/sponsor/route.ts` of a Next.js application, or any handler of the web's `Request`. It
 * checks the signature (Standard Webhooks) before it reads the body. `WEBHOOK_SECRET` is what `tollfree webhook secret`
 * prints.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const key = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64');

/** Older calls are refused, so that a recorded call is of no use later. */
const maxAgeSeconds = 300;

/** Replace this with your own rule. `data` is the `webhookData` that your page put into the request. */
async function isSponsored(data: unknown): Promise<boolean> {
  return typeof data === 'object' && data !== null && 'user' in data && data.user === 'u-1';
}

/** Whether the service has sent these bytes: HMAC-SHA256 over `<id>.<timestamp>.<body>`, in one of the signatures. */
function isSigned(headers: Headers, body: string): boolean {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= maxAgeSeconds)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const signatures = (headers.get('webhook-signature') ?? '').split(' ');
  return signatures.some((signature) => {
    const sent = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

export async function POST(request: Request): Promise<Response> {
  if (key.length === 0) throw new Error('Set WEBHOOK_SECRET to what `tollfree webhook secret` prints.');
  const body = await request.text();
  if (!isSigned(request.headers, body)) return new Response('signature', { status: 401 });
  const { data }: { data?: unknown } = JSON.parse(body);
  return Response.json({ arePoliciesVerified: await isSponsored(data) });
}
