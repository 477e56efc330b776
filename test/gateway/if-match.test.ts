import { expect, test } from 'vitest';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { refuse } from '../../core/domain/result/result.ts';
import { contract } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const message =
  'The policy has been changed by the operator since it was read: limits. Read it again and repeat the change.';

async function startWithVersions() {
  const given: unknown[] = [];
  const { url } = await startTestGateway({
    core: {
      readPolicy: async () => ({ ok: true, value: { ...defaultPolicy, etag: 'abc' } }),
      setPolicy: async ({ etag, policy }) => {
        given.push([etag, policy.etag]);
        return etag === 'stale'
          ? refuse({ reason: 'CHANGED_MEANWHILE', message })
          : { ok: true, value: { ...defaultPolicy, etag: 'def' } };
      },
      updateSmartContract: async ({ etag }) => {
        given.push(etag);
        return { ok: true, value: contract };
      },
    },
  });
  const ask = (method: string, path: string, json?: unknown, ifMatch?: string) =>
    send(`${url}${prefix}${path}`, method, {
      headers: { ...bothHeaders, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
      json,
    });
  return { ask, given };
}

test('a policy is read and set with its version, in the header and in its data', async () => {
  const { ask } = await startWithVersions();
  const read = await ask('GET', '/policy');
  expect([read.headers.etag, read.body]).toMatchObject(['"abc"', { data: { etag: 'abc' } }]);
  const set = await ask('PUT', '/policy', {}, '"abc"');
  expect([set.headers.etag, set.body]).toMatchObject(['"def"', { data: { etag: 'def' } }]);
});

test('a change is made for the version in If-Match or in the policy, and for any without one', async () => {
  const { ask, given } = await startWithVersions();
  await ask('PUT', '/policy', {}, '"abc"');
  await ask('PUT', '/policy', { etag: 'def' });
  await ask('PUT', '/policy', {});
  await ask('PATCH', '/smart-contract', { address: contract.address, whitelistedMethods: [] }, '"ghi"');
  expect(given).toEqual([['abc', undefined], [undefined, 'def'], [undefined, undefined], 'ghi']);
});

test('a change of another version is answered with 412 and what was changed', async () => {
  const { ask } = await startWithVersions();
  const { status, body } = await ask('PUT', '/policy', {}, '"stale"');
  expect([status, body]).toEqual([412, { statusCode: 412, message }]);
});

test.each(['abc', 'W/"abc"', '*', '"a", "b"', '""', `"${'a'.repeat(101)}"`])(
  'If-Match: %s is refused, since the change would be made for any version',
  async (ifMatch) => {
    const { ask, given } = await startWithVersions();
    const { status, body } = await ask('PUT', '/policy', {}, ifMatch);
    expect([status, body]).toMatchObject([400, { message: 'If-Match must be the ETag of the object' }]);
    expect(given).toEqual([]);
  },
);

test('a call that cannot depend on a version refuses to', async () => {
  const { ask } = await startWithVersions();
  const body = { webhookUrl: 'https://a.example', requestType: 'GET' };
  const { status, body: answer } = await ask('POST', '/webhook', body, '"abc"');
  expect([status, answer]).toMatchObject([400, { message: 'If-Match is not supported by this call' }]);
});
