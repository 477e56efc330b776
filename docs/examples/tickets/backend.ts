/**
 * Your backend: gives a signed-in user a ticket for one sponsored operation. `TICKET_KEY` is the private key that
 * `tollfree ticket-key create` printed, `PAYMASTER_ID` the paymaster it belongs to.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { importJWK, type JWK, SignJWT } from 'jose';

for (const name of ['TICKET_KEY', 'PAYMASTER_ID']) {
  if (!process.env[name]) throw new Error(`Set ${name}, which tollfree ticket-key create prints.`);
}

const key: JWK = JSON.parse(process.env.TICKET_KEY ?? '{}');
const paymasterId = process.env.PAYMASTER_ID ?? '';

/** Replace this with your own session check. It returns the id of the user, or undefined. */
function findUser(request: IncomingMessage): string | undefined {
  return /\bsession=demo-session\b/.test(request.headers.cookie ?? '') ? 'user-42' : undefined;
}

async function signTicket(userId: string): Promise<string> {
  return new SignJWT({ jti: randomUUID(), uses: 1 })
    .setProtectedHeader({ alg: key.alg ?? 'ES256', ...(key.kid !== undefined && { kid: key.kid }) })
    .setSubject(userId)
    .setAudience(paymasterId)
    .setExpirationTime('5m')
    .sign(await importJWK(key));
}

/** `POST /ticket` answers `{"ticket": "…"}`, or 401 without a session. */
export const backend = createServer(async (request, response) => {
  const userId = findUser(request);
  if (request.method !== 'POST' || request.url !== '/ticket') response.writeHead(404).end();
  else if (userId === undefined) response.writeHead(401).end();
  else {
    const body = JSON.stringify({ ticket: await signTicket(userId) });
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
  }
});

backend.listen(Number(process.env.PORT ?? 8_787), '127.0.0.1');
