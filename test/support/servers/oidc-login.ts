import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Application, Provider } from './oidc-applications.ts';

/** Redirects of one login: to the user's two answers and back. */
const maxRedirects = 10;

const tokensSchema = z.object({ id_token: z.string(), token_type: z.literal('Bearer') });

export function redirectTo(application: Application): string {
  return `https://${application}.example/callback`;
}

/** Whose browser it is, as a login form would be told. */
const userHeader = 'x-user';

/** The page of the provider that asks the user: who he is, and whether the application may know. */
export async function answerForUser(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = interactionSchema.parse(await provider.interactionDetails(request, response));
  if (prompt.name === 'login') {
    const login = { accountId: String(request.headers[userHeader]) };
    return provider.interactionFinished(request, response, { login });
  }
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  grant.addOIDCScope('openid');
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

const interactionSchema = z.object({
  prompt: z.object({ name: z.string() }),
  params: z.object({ client_id: z.string() }),
  session: z.object({ accountId: z.string() }).optional(),
});

/** What a page does that a user logs in to: the code flow of OpenID Connect with PKCE (RFC 7636), in a browser of its own. */
export async function logIn(issuer: string, user: string, application: Application): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const redirect = redirectTo(application);
  const start = new URL('/auth', issuer);
  start.search = new URLSearchParams({
    client_id: application,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const code = await follow(start, redirect, user);
  const answer = await fetch(new URL('/token', issuer), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: application,
      redirect_uri: redirect,
      code,
      code_verifier: verifier,
    }),
  });
  return tokensSchema.parse(await answer.json()).id_token;
}

/** Goes where it is sent, with the cookies it was given, until that is the application; answers the code it is given there. */
async function follow(start: URL, redirect: string, user: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let redirects = 0; redirects < maxRedirects; redirects += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie, [userHeader]: user } });
    for (const set of headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    url = new URL(headers.get('location') ?? '', url);
    if (url.href.startsWith(redirect)) return url.searchParams.get('code') ?? '';
  }
  throw new Error('The provider does not send the user back.');
}
