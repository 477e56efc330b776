import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';
import { type Application, applications, type Provider } from './oidc-applications.ts';
import { answerForUser, logIn, redirectTo } from './oidc-login.ts';

/** A real OpenID provider on this machine, which changes its keys and goes away when it is told to. */
export type OidcIssuer = {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** How often its list of keys was asked for. */
  readonly listed: () => number;
  /** A token of a client for an audience, as the provider makes them. */
  token(audience: string): Promise<string>;
  /** The ID token of a user who has just logged in to one of its applications: the authorization code flow with PKCE. */
  logIn(user: string, application: Application): Promise<string>;
  /** Signs with a new key from now on and lists that alone. */
  rotate(): Promise<void>;
  /** Answers nothing but 503, or as before again. */
  setAway(away: boolean): void;
  close(): Promise<void>;
};

/** The package has no types of its own. */
async function createProvider(issuer: string, configuration: object): Promise<Provider> {
  // @ts-expect-error: no declarations
  const { Provider: Constructor } = await import('oidc-provider');
  return new Constructor(issuer, configuration);
}

const tokenSchema = z.object({ access_token: z.string() });
const client = { client_id: 'app', client_secret: 'not-so-secret' };

export async function startOidcIssuer(): Promise<OidcIssuer> {
  let provider: Provider | undefined;
  let isAway = false;
  let listed = 0;
  const server = createServer((request, response) => {
    if (request.url === '/jwks') listed += 1;
    if (isAway || provider === undefined) response.writeHead(503).end();
    else if (request.url?.startsWith('/interaction/')) void answerForUser(provider, request, response);
    else provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let keys = 0;
  const rotate = async () => {
    keys += 1;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    provider = await createProvider(
      issuer,
      configurationWith({ ...(await exportJWK(privateKey)), kid: `key ${keys}` }),
    );
  };
  await rotate();
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    listed: () => listed,
    token: async (audience) => {
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
      });
      return tokenSchema.parse(await answer.json()).access_token;
    },
    logIn: (user, application) => logIn(issuer, user, application),
    rotate,
    setAway: (away) => {
      isAway = away;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configurationWith(key: JWK): object {
  return {
    jwks: { keys: [{ ...key, use: 'sig', alg: 'ES256' }] },
    cookies: { keys: ['of this test'] },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    clients: [
      ...applications.map((name) => ({
        client_id: name,
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirectTo(name)],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      })),
      {
        ...client,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          scope: '',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
}
