import { parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { jwksLimits } from '../../core/tickets/jwks-cache.ts';
import { incrementsOf, newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { viemClient } from '../support/published-clients/sending-clients.ts';
import { type OidcIssuer, startOidcIssuer } from '../support/servers/oidc-issuer.ts';
import { anyClock } from '../support/service/any-clock.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.7';

let provider: OidcIssuer;
let service: RunningService;
let bundler: TestBundler;
let paymaster: Awaited<ReturnType<RunningService['fundedPaymaster']>>;
/** By how much the service's clock is ahead, in seconds. */
let ahead = 0;

beforeAll(async () => {
  provider = await startOidcIssuer();
  service = await startService({ clock: { now: () => Date.now() + ahead * 1_000 }, configure: anyClock });
  const [chain] = service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  bundler = await startTestBundler(service.devnet, chain);
  const { authToken } = await service.issueAccount();
  paymaster = await service.fundedPaymaster(authToken, version);
  const { paymasterId, apiKey } = paymaster;
  const client = createManagementClient({ baseUrl: service.url, authToken, apiKey });
  const { issuer, jwksUrl } = provider;
  await client.createTicketKey({ paymasterId, name: 'login', kind: 'JWKS', issuer, jwksUrl, audience: 'shop-page' });
  const limits = [{ per: 'SUBJECT', window: 'EVER', unit: 'WEI', max: parseEther('1').toString() }] as const;
  await client.setPolicy({ policy: { requireTicket: true, limits: [...limits] } });
});
afterAll(async () => {
  await bundler?.close();
  await service?.close();
  await provider?.close();
});
beforeEach(() => {
  provider.setAway(false);
  ahead += jwksLimits.minSecondsBetween;
});

/** `signed`, or the reason of the refusal. */
async function outcomeOf(ticket: string): Promise<string> {
  const operation = await nextOperation(service.devnet, newSmartAccount(version), [
    targetCall(service.devnet, 'increment'),
  ]);
  const ask = async () => {
    const { httpStatus, reason = '' } = await askSponsorship(paymaster.rpcUrl, operation, { ticket });
    // A clock that was set ahead a moment ago makes what was seen of the chain old.
    expect(reason).not.toBe('CHAIN_UNAVAILABLE');
    return httpStatus === 200 ? 'signed' : reason;
  };
  return vi.waitFor(ask, { timeout: 20_000 });
}

test('the ID token of a login is the ticket: a page that has no backend sends it, and the operation lands', async () => {
  const idToken = await provider.logIn('alice', 'shop-page');
  const { devnet } = service;
  const { rpcUrl: url, address } = paymaster;
  const headers = { authorization: `Bearer ${idToken}` };
  const account = await viemClient.open({ devnet, bundler }, { version, url, address, headers });
  expect(await readLanded(bundler.url, await account.sponsored())).toMatchObject({ success: true, paymaster: address });
  expect(await incrementsOf(devnet, account.sender)).toBe(1n);
});

test('a login elsewhere is none here, and neither is a changed one', async () => {
  expect(await outcomeOf(await provider.logIn('alice', 'other-page'))).toBe('TICKET_FOR_ANOTHER');
  expect(await outcomeOf(await provider.token('https://other.example'))).toBe('TICKET_FOR_ANOTHER');
  const [head, body = '', signature] = (await provider.logIn('alice', 'shop-page')).split('.');
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'bob' };
  const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');
  expect(await outcomeOf(`${head}.${changed}.${signature}`)).toBe('TICKET_SIGNATURE_WRONG');
  expect(await outcomeOf(`${head}.${body}.${signature}`)).toBe('signed');
});

describe('when the provider', () => {
  test('changes its keys, logins from then on are taken and those before are not', async () => {
    const before = await provider.logIn('alice', 'shop-page');
    expect(await outcomeOf(before)).toBe('signed');
    await provider.rotate();
    ahead += jwksLimits.minSecondsBetween;
    expect(await outcomeOf(await provider.logIn('alice', 'shop-page'))).toBe('signed');
    expect(await outcomeOf(before)).toBe('TICKET_KEY_NOT_KNOWN');
  });

  test('is away, who has logged in goes on, and no one with a key that it has not told', async () => {
    const known = await provider.logIn('alice', 'shop-page');
    expect(await outcomeOf(known)).toBe('signed');
    await provider.rotate();
    const newer = await provider.logIn('alice', 'shop-page');
    provider.setAway(true);
    ahead += jwksLimits.minSecondsBetween;
    expect(await outcomeOf(known)).toBe('signed');
    expect(await outcomeOf(newer)).toBe('TICKET_KEYS_UNAVAILABLE');
    provider.setAway(false);
    ahead += jwksLimits.minSecondsBetween;
    expect(await outcomeOf(newer)).toBe('signed');
  });
});

test('a login counts until its ID token ends, which the provider says', async () => {
  const idToken = await provider.logIn('alice', 'shop-page');
  expect(await outcomeOf(idToken)).toBe('signed');
  ahead += 3_600;
  expect(await outcomeOf(idToken)).toBe('TICKET_EXPIRED');
});
