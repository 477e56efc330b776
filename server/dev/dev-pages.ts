import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Core } from '../../core/domain/core.ts';
import { createSessionCookie } from '../../gateway/session-cookie.ts';
import { accepted } from '../accepted.ts';

/** The path to which a browser brings its code. */
export const signInPath = '/dev/sign-in';

const cookie = createSessionCookie('loopback');
/** The address must not remain anywhere: not in a cache, and not as a referrer. */
const unseen = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' };
const spent =
  'This link signs in once, within five minutes of the start. Go to /dashboard and sign in with the authToken in the file dev.json of the service, by default .tollfree/dev.json.\n';

type Parts = {
  readonly core: Pick<Core, 'signInWithAuthToken' | 'endSession'>;
  /** Of the account to sign in to. */
  readonly authToken: string;
  readonly code: OneTimeCode;
  readonly clock: Clock;
};

/**
 * Pages of the development service in addition to the gateway, on loopback: a link that signs in once, and redirects from
 * `localhost`, where sessions would not work, to the right address. Returns whether it has answered.
 */
export function createDevPages(parts: Parts): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const { host, port, pathname, search } = readAddress(request);
    if (request.method !== 'GET') return false;
    const isPage = pathname === '/' || pathname === signInPath || /^\/dashboard(\/|$)/.test(pathname);
    if (!isPage) return false;
    if (host === `localhost:${port}`) {
      const location = `http://127.0.0.1:${port}${pathname}${search}`;
      response.writeHead(307, { ...unseen, location }).end();
      return true;
    }
    // Another name for this machine belongs to another site.
    if (pathname !== signInPath || host !== `127.0.0.1:${port}`) return false;
    signIn(parts, request, response, new URLSearchParams(search).get('code') ?? '').catch(() => response.destroy());
    return true;
  };
}

function readAddress({ headers, url = '', socket }: IncomingMessage) {
  const [pathname = '', ...query] = url.split('?');
  const search = query.length === 0 ? '' : `?${query.join('?')}`;
  return { host: headers.host, port: socket.localPort, pathname, search };
}

/**
 * Exchanges the code for a session, whose secret is only in the cookie, and redirects away from the address with the code.
 */
async function signIn(
  { core, authToken, code, clock }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  given: string,
): Promise<void> {
  if (!code.take(given)) {
    response.writeHead(403, { ...unseen, 'content-type': 'text/plain; charset=utf-8' }).end(spent);
    return;
  }
  const { session, identity } = accepted(await core.signInWithAuthToken({ authToken }));
  const former = cookie.read(request);
  if (former !== undefined) await core.endSession({ session: former });
  const seconds = (identity.expiresAt ?? 0) - clock.now() / 1_000;
  response.writeHead(303, { ...unseen, 'set-cookie': cookie.set(session, seconds), location: '/dashboard/' }).end();
}

/** Lifetime of a code in milliseconds: from the terminal to the browser. */
const validMs = 5 * 60_000;

/** A short-lived secret that works once; one at a time. Only its digest is kept, in memory. */
type OneTimeCode = {
  /** Issues a new one, which invalidates the previous one. */
  issue(): string;
  /** Whether this is the current code, which is then used up. A wrong one changes nothing. */
  take(code: string): boolean;
};

export function createOneTimeCode(clock: Clock): OneTimeCode {
  let open: { readonly digest: Buffer; readonly until: number } | undefined;
  return {
    issue() {
      const code = randomBytes(32).toString('base64url');
      open = { digest: digestOf(code), until: clock.now() + validMs };
      return code;
    },
    take(code) {
      if (open === undefined || clock.now() >= open.until || !timingSafeEqual(digestOf(code), open.digest))
        return false;
      open = undefined;
      return true;
    },
  };
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
