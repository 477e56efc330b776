import { describe, expect, test } from 'vitest';
import { managementPrefix } from '../../contract/operation.ts';
import { operationList } from '../../contract/operations.ts';
import { type Scope, scopes } from '../../core/domain/access/actor.ts';
import { accept } from '../../core/domain/result/result.ts';
import { apiKey, authToken, paymasterId } from '../support/gateway/fake-core.ts';
import { send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const closed = operationList.filter(({ credentials }) => credentials !== 'none');

/** What is sent with another method than GET and changes nothing. */
const looks = ['previewPolicy', 'previewNamedPolicy'];
/** What the gateway asks by itself meanwhile. */
const unasked = ['authenticate', 'status', 'shareLimits', 'readMetrics'];
/** A signed-in user may ask who they are and where they may go, go there, take a name, leave, and sign out. */
const ownSession = [
  ...['readSession', 'endSession', 'listMemberships', 'switchAccount', 'leaveAccount', 'revokeAllSessions'],
  // The core lets others rename a member only with all scopes.
  'renameMember',
];
/** Scopes do not open it, nor are they told about: without being the operator there is no such path. */
const ofOperator = 'getOperatorView';

test('no operation that changes something is content with the scope read', () => {
  for (const { name, method, scopes: wanted } of closed.filter(
    ({ name }) => !ownSession.includes(name) && name !== ofOperator,
  )) {
    expect(wanted.length, name).toBeGreaterThan(0);
    if (method !== 'GET' && !looks.includes(name)) expect(wanted, name).not.toEqual(['read']);
  }
});

describe('a call without the scope is refused before its body is read, and the core is not asked', () => {
  const sets: readonly (readonly Scope[])[] = [[], ['read'], ['manage'], ['funds'], ['read', 'manage']];
  test.each(sets.map((set) => [set.join(' and ') || 'none', set] as const))('%s', async (_, present) => {
    const { url, core } = await startTestGateway({
      core: { authenticate: async () => accept({ accountId: 'account', paymasterId, scopes: present }) },
    });
    let asked = 0;
    for (const name of Object.keys(core) as (keyof typeof core)[]) {
      const operation = core[name];
      if (typeof operation !== 'function' || unasked.includes(name)) continue;
      Object.assign(core, {
        [name]: (...input: never[]) => {
          asked += 1;
          return (operation as (...input: never[]) => unknown)(...input);
        },
      });
    }
    for (const { name, method, path, scopes: needed } of closed) {
      const missing = needed.find((scope) => !present.includes(scope));
      const before = asked;
      const { status, body } = await send(`${url}${managementPrefix}${path.replace(/:\w+/g, 'a')}`, method, {
        headers: { authToken, apiKey },
        ...(method === 'GET' ? {} : { text: '{not json' }),
      });
      if (missing === undefined) {
        expect(status, name).not.toBe(403);
        continue;
      }
      expect([status, body], name).toEqual([403, { statusCode: 403, message: `The scope ${missing} is missing` }]);
      expect(asked, name).toBe(before);
    }
  });
});

test('a core that says nothing of scopes gives none', async () => {
  const { url } = await startTestGateway({ core: { authenticate: async () => accept({ accountId: 'account' }) } });
  const { status } = await send(`${url}/api/v2/public/sdk/paymaster`, 'GET', { headers: { authToken } });
  expect(status).toBe(403);
  expect(scopes).toHaveLength(3);
});
