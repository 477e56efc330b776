import { expect, test } from 'vitest';
import { type Actor, actAs, currentActor, scopes } from '../../core/domain/access/actor.ts';
import { accept } from '../../core/domain/result/result.ts';
import { authToken, paymaster } from '../support/gateway/fake-core.ts';
import { prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

test('the core is asked in the name of the authToken, from the address that trusted proxies say', async () => {
  const seen: (Actor | undefined)[] = [];
  const { url } = await startTestGateway({
    trustedProxies: ['127.0.0.1/32'],
    core: {
      authenticate: async () => accept({ accountId: 'account', authTokenId: 'token-1', scopes }),
      createPaymaster: async () => {
        seen.push(currentActor());
        return accept(paymaster);
      },
      readSignUp: async () => {
        seen.push(currentActor());
        return accept({ signUp: 'closed' });
      },
    },
    publicUrl: 'http://127.0.0.1:1',
  });
  const headers = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'shop/1.0\tbeta' };
  const json = { name: 'shop', type: 'HYBRID', chainId: 31337, version: '1' };
  await send(`${url}${prefix}/paymaster`, 'POST', { headers: { authToken, ...headers }, json });
  await send(`${url}${prefix}/session/sign-up`, 'GET', { headers });

  const from = { address: '203.0.113.7', client: 'shop/1.0?beta' };
  expect(seen).toEqual([
    { kind: 'auth-token', accountId: 'account', credentialId: 'token-1', ...from },
    { kind: 'visitor', ...from },
  ]);
});

test('an operation keeps its name when another one that overlaps ends first', async () => {
  let endShort = () => {};
  let endLong = () => {};
  const named = (client: string, wait: Promise<void>) =>
    actAs({ kind: 'operator', client }, () => wait.then(() => currentActor()?.client));
  const short = named('short', new Promise<void>((resolve) => (endShort = resolve)));
  const long = named('long', new Promise<void>((resolve) => (endLong = resolve)));
  endShort();
  expect(await short).toBe('short');
  endLong();
  expect(await long).toBe('long');
  expect([currentActor(), await named('later', Promise.resolve())]).toEqual([undefined, 'later']);
});
