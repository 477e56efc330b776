import { describe, expect, test } from 'vitest';
import { maxApiKeys } from '../../contract/limits.ts';
import { accepted, newPaymaster, refusalOf, startManagement, startTime } from '../support/core/start-management.ts';

const hour = 3_600;
const unknownId = '00000000-0000-4000-8000-000000000000';

async function start() {
  const { management, profiles, clock } = await startManagement();
  const { owned, paymaster } = await newPaymaster(management);
  const { authToken } = accepted(await management.issueAuthToken({ accountId: owned.accountId, name: 'test' }));
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
  return { management, owned, clock, first: paymaster.apiKey, accepting, rotate };
}

describe('a replaced apiKey', () => {
  test('is accepted beside the new one until its grace is over, to the second', async () => {
    const { management, owned, clock, first, accepting, rotate } = await start();
    expect(await accepting(first)).toEqual([first]);
    const second = await rotate(hour);
    expect(second).not.toBe(first);
    expect(await accepting(first, second)).toEqual([first, second]);
    expect(accepted(await management.listPaymasters(owned))).toMatchObject([{ apiKey: second }]);
    expect(accepted(await management.listApiKeys(owned))).toEqual([
      { apiKeyId: expect.any(String), createdAt: startTime },
      { apiKeyId: expect.any(String), createdAt: startTime, expiresAt: startTime + hour },
    ]);
    clock.advance(hour - 1);
    expect(await accepting(first, second)).toEqual([first, second]);
    clock.advance(1);
    expect(await accepting(first, second)).toEqual([second]);
    expect(accepted(await management.listApiKeys(owned))).toHaveLength(1);
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
      'INVALID_FIELD: apiKeyId must be of a replaced key: replace the newest one with graceSeconds 0',
    );
    expect(await accepting(first, second, third)).toEqual([first, third]);
  });

  test('is no way to keep more than a few of them, but for replacing all at once', async () => {
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
