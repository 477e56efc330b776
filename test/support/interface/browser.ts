import type { PrivateKeyAccount } from 'viem/accounts';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { expect } from 'vitest';
import type { RunningService } from '../service/running-service.ts';
import type { HttpAnswer } from './send-http.ts';
import { callManagement, dataOf } from './tenant.ts';

/** A nonce as the service hands it out. */
export type HandedNonce = {
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly domain: string;
  readonly uri: string;
  readonly signUp: string;
};

/** What a browser sends of itself from a page of the service. */
export function browserHeaders(service: RunningService): {
  readonly origin: string;
  readonly 'sec-fetch-site': string;
} {
  return { origin: service.url, 'sec-fetch-site': 'same-origin' };
}

export async function fetchNonce(service: RunningService): Promise<HandedNonce> {
  const headers = browserHeaders(service);
  return dataOf(await callManagement(service, 'POST', '/session/nonce', { headers })) as HandedNonce;
}

/** The message that the dashboard has the wallet sign; `change` spoils it. */
export async function signInBody(
  service: RunningService,
  wallet: PrivateKeyAccount,
  change: Partial<SiweMessage> & { readonly from?: HandedNonce; readonly signer?: PrivateKeyAccount } = {},
): Promise<{ readonly message: string; readonly signature: string }> {
  const { from, signer = wallet, ...fields } = change;
  const { nonce, issuedAt, domain, uri } = from ?? (await fetchNonce(service));
  const message = createSiweMessage({
    address: wallet.address,
    chainId: 1,
    domain,
    issuedAt: new Date(issuedAt * 1_000),
    nonce,
    uri,
    version: '1',
    ...fields,
  });
  return { message, signature: await signer.signMessage({ message }) };
}

/** Sends the body of a sign-in as the dashboard does. */
export function postSession(
  service: RunningService,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return callManagement(service, 'POST', '/session', { headers: { ...browserHeaders(service), ...headers }, json });
}

/** The cookie that an answer sets, as the browser sends it back. */
export function cookieOf({ headers }: HttpAnswer): string {
  const [set = ''] = headers['set-cookie'] ?? [];
  return set.split(';', 1)[0] ?? '';
}

/** Signs in, and gives what the dashboard's requests carry from then on. */
export async function signIn(
  service: RunningService,
  json: unknown,
): Promise<{ readonly origin: string; readonly 'sec-fetch-site': string; readonly cookie: string }> {
  const answer = await postSession(service, json);
  dataOf(answer);
  const cookie = cookieOf(answer);
  expect(cookie).toMatch(/^tollfree-session=tfs_/);
  return { ...browserHeaders(service), cookie };
}
