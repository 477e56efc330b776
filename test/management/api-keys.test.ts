import { describe, expect, test } from 'vitest';
import { maxApiKeys, maxKeys } from '../../contract/limits.ts';
import { noKeyRules } from '../../core/domain/api-key-rules.ts';
import { accepted, newPaymaster, refusalOf, startManagement, startTime } from '../support/core/start-management.ts';

const hour = 3_600;
const unknownId = '00000000-0000-4000-8000-000000000000';

async function start() {
  const { management, profiles, clock } = await startManagement();
  const { owned, paymaster } = await newPaymaster(management);
  const { authToken } = accepted(await management.createAuthToken({ accountId: owned.accountId, name: 'test' }));
  /** Of some apiKeys those that sponsorships and the management interface accept, which must be the same. */
  const accepting = async (...apiKeys: readonly string[]) => {
    const found = await Promise.all(apiKeys.map((apiKey) => profiles.find(apiKey)));
    const sponsored = apiKeys.filter((_, index) => found[index]?.paymaster.paymasterId === owned.paymasterId);
    const callers = await Promise.all(apiKeys.map((apiKey) => management.authenticate({ authToken, apiKey })));
    expect(apiKeys.filter((_, index) => callers[index]?.ok)).toEqual(sponsored);
    return sponsored;
  };
  const rotate = async (graceSeconds: number) =>
    accepted(await management.rotateApiKey({ ...owned, graceSeconds })).apiKey;
  return { management, profiles, owned, clock, first: paymaster.apiKey, accepting, rotate };
}

describe('a replaced apiKey', () => {
  test('is accepted next to the new one until its grace is over, to the second', async () => {
    const { management, owned, clock, first, accepting, rotate } = await start();
    expect(await accepting(first)).toEqual([first]);
    const second = await rotate(hour);
    expect(second).not.toBe(first);
    expect(await accepting(first, second)).toEqual([first, second]);
    expect(accepted(await management.listPaymasters(owned))).toMatchObject([{ apiKey: second }]);
    const own = {
      apiKeyId: expect.any(String),
      name: 'default',
      lastFour: expect.any(String),
      isOwn: true,
      disabled: false,
      rules: noKeyRules,
      createdAt: startTime,
      etag: expect.any(String),
    };
    expect(accepted(await management.listApiKeys(owned))).toEqual([own, { ...own, expiresAt: startTime + hour }]);
    clock.advance(hour - 1);
    expect(await accepting(first, second)).toEqual([first, second]);
    clock.advance(1);
    expect(await accepting(first, second)).toEqual([second]);
    const [newest, ...others] = accepted(await management.listApiKeys(owned));
    expect(others).toEqual([]);
    expect(second.slice(-4)).toBe(newest?.lastFour);
  });

  test('without grace is refused at once, and so are those that were replaced before it', async () => {
    const { first, accepting, rotate } = await start();
    const second = await rotate(hour);
    expect(await accepting(first, second)).toEqual([first, second]);
    const third = await rotate(0);
    expect(await accepting(first, second, third)).toEqual([third]);
  });

  test('gets no longer grace by another replacement', async () => {
    const { clock, first, accepting, rotate } = await start();
    const second = await rotate(hour);
    const third = await rotate(3 * hour);
    clock.advance(hour);
    expect(await accepting(first, second, third)).toEqual([second, third]);
    const fourth = await rotate(hour);
    clock.advance(hour);
    expect(await accepting(second, third, fourth)).toEqual([fourth]);
  });

  test('that leaked is ended at once, and nothing else with it', async () => {
    const { management, owned, first, accepting, rotate } = await start();
    const second = await rotate(hour);
    const third = await rotate(hour);
    expect(await accepting(first, second, third)).toEqual([first, second, third]);
    const keys = accepted(await management.listApiKeys(owned));
    const leaked = { ...owned, apiKeyId: keys[1]?.apiKeyId ?? '' };
    expect(accepted(await management.endApiKey(leaked))).toMatchObject({ expiresAt: startTime });
    expect(await accepting(first, second, third)).toEqual([first, third]);
    expect(refusalOf(await management.endApiKey(leaked))).toBe('API_KEY_NOT_FOUND: API key not found');
    expect(refusalOf(await management.endApiKey({ ...owned, apiKeyId: keys[0]?.apiKeyId ?? '' }))).toBe(
      'INVALID_FIELD: apiKeyId must not be the paymaster’s own key. Replace it with graceSeconds 0',
    );
    expect(await accepting(first, second, third)).toEqual([first, third]);
  });

  test('is no way to keep more than a few of them, except replacing all at once', async () => {
    const { management, owned, rotate, accepting } = await start();
    for (let count = 1; count < maxApiKeys; count += 1) await rotate(hour);
    expect(refusalOf(await management.rotateApiKey({ ...owned, graceSeconds: 1 }))).toMatch(
      /^TOO_MANY_API_KEYS: .* 10 /,
    );
    const last = await rotate(0);
    expect(await accepting(last)).toEqual([last]);
    expect(accepted(await management.listApiKeys(owned))).toHaveLength(1);
  });
});

test.each([-1, 0.5, 2_592_001, Number.NaN])('%s seconds of grace are refused, and replace nothing', async (grace) => {
  const { management, owned, first, accepting } = await start();
  expect(refusalOf(await management.rotateApiKey({ ...owned, graceSeconds: grace }))).toBe(
    'INVALID_FIELD: graceSeconds must be a whole number from 0 to 2592000',
  );
  expect(await accepting(first)).toEqual([first]);
  expect(accepted(await management.listApiKeys(owned))).toHaveLength(1);
});

test('another paymaster has nothing to do with it, also one of the same account', async () => {
  const { management, owned, first, accepting, rotate } = await start();
  const other = accepted(
    await management.createPaymaster({ ...owned, name: 'Other', type: 'HYBRID', chainId: 1337, version: '2.0.0' }),
  );
  await rotate(hour);
  const [, replaced] = accepted(await management.listApiKeys(owned));
  const wrong = {
    accountId: owned.accountId,
    paymasterId: other.paymasterId,
    apiKeyId: replaced?.apiKeyId ?? unknownId,
  };
  expect(refusalOf(await management.endApiKey(wrong))).toBe('API_KEY_NOT_FOUND: API key not found');
  expect(await accepting(first)).toEqual([first]);
  const paymasters = accepted(await management.listPaymasters(owned));
  expect(paymasters.find(({ name }) => name === 'Other')?.apiKey).toBe(other.apiKey);
});

describe('a key next to the paymaster’s own', () => {
  const create = async ({ management, owned }: Awaited<ReturnType<typeof start>>, name: string) =>
    accepted(await management.createApiKey({ ...owned, name }));

  test('is accepted, listed under its name, replaced by itself and ended, and leaves the own one alone', async () => {
    const started = await start();
    const { management, owned, clock, first, accepting } = started;
    const web = await create(started, 'web');
    expect(web.record).toMatchObject({ name: 'web', isOwn: false, disabled: false, createdAt: startTime });
    expect(await accepting(first, web.apiKey)).toEqual([first, web.apiKey]);
    expect(accepted(await management.listPaymasters(owned))).toMatchObject([{ apiKey: first }]);
    const { apiKeyId } = web.record;
    const next = accepted(await management.rotateApiKey({ ...owned, apiKeyId, graceSeconds: hour }));
    expect(next.record).toMatchObject({ name: 'web', isOwn: false });
    expect(accepted(await management.listApiKeys(owned)).map(({ name, expiresAt }) => [name, expiresAt])).toEqual([
      ['default', undefined],
      ['web', undefined],
      ['web', startTime + hour],
    ]);
    expect(await accepting(first, web.apiKey, next.apiKey)).toEqual([first, web.apiKey, next.apiKey]);
    clock.advance(hour);
    expect(await accepting(first, web.apiKey, next.apiKey)).toEqual([first, next.apiKey]);
    accepted(await management.endApiKey({ ...owned, apiKeyId: next.record.apiKeyId }));
    expect(await accepting(first, web.apiKey, next.apiKey)).toEqual([first]);
    expect(accepted(await management.listApiKeys(owned))).toHaveLength(1);
  });

  test('ends with those it has replaced, and its name is free again', async () => {
    const started = await start();
    const { management, owned, first, accepting } = started;
    const web = await create(started, 'web');
    const { apiKeyId } = web.record;
    const next = accepted(await management.rotateApiKey({ ...owned, apiKeyId, graceSeconds: hour }));
    accepted(await management.endApiKey({ ...owned, apiKeyId: next.record.apiKeyId }));
    expect(await accepting(first, web.apiKey, next.apiKey)).toEqual([first]);
    const again = await create(started, 'web');
    expect(await accepting(first, web.apiKey, again.apiKey)).toEqual([first, again.apiKey]);
  });

  test('has a name that no other has, and keeps what is set of it when it is replaced', async () => {
    const started = await start();
    const { management, owned, profiles } = started;
    const { record } = await create(started, 'web');
    const taken = 'API_KEY_NAME_EXISTS: API key name already exists';
    const of = { ...owned, apiKeyId: record.apiKeyId };
    expect(refusalOf(await management.createApiKey({ ...owned, name: 'web' }))).toBe(taken);
    expect(refusalOf(await management.createApiKey({ ...owned, name: 'default' }))).toBe(taken);
    expect(refusalOf(await management.updateApiKey({ ...of, name: 'default' }))).toBe(taken);
    expect(refusalOf(await management.createApiKey({ ...owned, name: ' ' }))).toMatch(/^INVALID_FIELD: name must/);
    expect(refusalOf(await management.updateApiKey({ ...of, name: '' }))).toMatch(/^INVALID_FIELD: name must/);
    expect(accepted(await management.updateApiKey({ ...of, name: 'app', disabled: true }))).toEqual({
      ...record,
      name: 'app',
      disabled: true,
      etag: expect.any(String),
    });
    const next = accepted(await management.rotateApiKey({ ...of, graceSeconds: hour }));
    expect(next.record).toMatchObject({ name: 'app', disabled: true });
    expect(await profiles.find(next.apiKey)).toMatchObject({ key: { name: 'app', disabled: true } });
  });

  test('is changed at once where it was remembered', async () => {
    const started = await start();
    const { management, owned, profiles, first } = started;
    const { apiKey, record } = await create(started, 'web');
    expect(await profiles.find(apiKey)).toMatchObject({ key: { disabled: false } });
    accepted(await management.updateApiKey({ ...owned, apiKeyId: record.apiKeyId, disabled: true }));
    expect(await profiles.find(apiKey)).toMatchObject({ key: { disabled: true } });
    expect(await profiles.find(first)).toMatchObject({ key: { disabled: false } });
  });

  test('is one of so many, and the own one can be renamed and disabled too', async () => {
    const started = await start();
    const { management, owned, profiles, first } = started;
    for (let count = 1; count < maxKeys; count += 1) await create(started, `key ${count}`);
    expect(refusalOf(await management.createApiKey({ ...owned, name: 'more' }))).toMatch(/^TOO_MANY_API_KEYS: .* 50 /);
    const [own] = accepted(await management.listApiKeys(owned));
    const of = { ...owned, apiKeyId: own?.apiKeyId ?? '' };
    expect(accepted(await management.updateApiKey({ ...of, name: 'main', disabled: true }))).toMatchObject({
      name: 'main',
      isOwn: true,
    });
    expect(await profiles.find(first)).toMatchObject({ key: { name: 'main', disabled: true } });
  });

  test('of another paymaster is not there', async () => {
    const started = await start();
    const { management, owned } = started;
    const { record } = await create(started, 'web');
    const other = await newPaymaster(management);
    const notFound = 'API_KEY_NOT_FOUND: API key not found';
    const of = { ...other.owned, apiKeyId: record.apiKeyId };
    expect(refusalOf(await management.updateApiKey({ ...of, disabled: true }))).toBe(notFound);
    expect(refusalOf(await management.rotateApiKey({ ...of, graceSeconds: 0 }))).toBe(notFound);
    expect(refusalOf(await management.endApiKey(of))).toBe(notFound);
    const foreign = { accountId: other.owned.accountId, paymasterId: owned.paymasterId, apiKeyId: record.apiKeyId };
    expect(refusalOf(await management.updateApiKey({ ...foreign, disabled: true }))).toMatch(/^PAYMASTER_NOT_FOUND/);
    expect(refusalOf(await management.createApiKey({ ...foreign, name: 'mine' }))).toMatch(/^PAYMASTER_NOT_FOUND/);
    expect(accepted(await management.listApiKeys(owned))).toHaveLength(2);
  });
});
