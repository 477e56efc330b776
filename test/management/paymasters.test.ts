import { randomUUID } from 'node:crypto';
import { maxPaymasters } from '@tollfree/contract/limits';
import { describe, expect, test } from 'vitest';
import { accepted, newAccount, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';

const apiKeyForm = /^[A-Za-z0-9_-]{9}\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const nameExists = 'PAYMASTER_NAME_EXISTS: paymaster_name_exists';

async function start() {
  const { management, store } = await startManagement();
  const accountId = await newAccount(management);
  const input = { accountId, name: 'Shop', type: 'HYBRID', chainId: 1337, version: '2.0.0' };
  return { management, store, input };
}

describe('a new paymaster', () => {
  test('has an id, an apiKey of the documented form and no funding wallet', async () => {
    const { management, input } = await start();
    const paymaster = accepted(await management.createPaymaster(input));
    expect(paymaster.apiKey).toMatch(apiKeyForm);
    expect(paymaster.paymasterId).toMatch(uuidForm);
    expect(paymaster).toEqual({
      paymasterId: paymaster.paymasterId,
      etag: expect.any(String),
      accountId: input.accountId,
      name: 'Shop',
      chainId: 1337,
      version: '2.0.0',
      apiKey: paymaster.apiKey,
    });
  });

  test('is listed with its apiKey, in the order of creation', async () => {
    const { management, input } = await start();
    const names = ['Shop', 'Game', 'Bank', 'Art', 'News', 'Club'];
    const created = [];
    for (const name of names) created.push(accepted(await management.createPaymaster({ ...input, name })));
    expect(accepted(await management.listPaymasters(input))).toEqual(created);
  });

  test('has a name of its own on its chain and in its account only', async () => {
    const { management, input } = await start();
    accepted(await management.createPaymaster(input));
    expect(refusalOf(await management.createPaymaster(input))).toBe(nameExists);
    expect(refusalOf(await management.createPaymaster({ ...input, version: '1.0.0' }))).toBe(nameExists);
    expect((await management.createPaymaster({ ...input, chainId: 80002 })).ok).toBe(true);
    expect((await newPaymaster(management, 'Shop')).paymaster.name).toBe('Shop');
  });

  test('is refused when the account has 1,000, also when two come at once; another account has its own', async () => {
    const { management, store, input } = await start();
    const create = (number: number) => management.createPaymaster({ ...input, name: `Shop ${number}` });
    accepted(await create(1));
    const { paymaster_number: _, ...first } = await store.db
      .selectFrom('paymasters')
      .selectAll()
      .executeTakeFirstOrThrow();
    const others = Array.from({ length: maxPaymasters - 2 }, (_, index) => `Shop ${index + 2}`);
    await store.db
      .insertInto('paymasters')
      .values(others.map((name) => ({ ...first, name, paymaster_id: randomUUID() })))
      .execute();
    const last = await Promise.all([create(1_000), create(1_001)]);
    expect(last.filter(({ ok }) => ok)).toHaveLength(1);
    expect(last.filter(({ ok }) => !ok).map(refusalOf)).toEqual([
      'TOO_MANY_PAYMASTERS: An account can have at most 1000 paymasters',
    ]);
    expect((await newPaymaster(management, 'Shop')).paymaster.name).toBe('Shop');
  });

  test('gets its name alone when ten ask for it at once', async () => {
    const { management, input } = await start();
    const results = await Promise.all(Array.from({ length: 10 }, () => management.createPaymaster(input)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(results.filter(({ ok }) => !ok).map(refusalOf))).toEqual(new Set([nameExists]));
    expect(accepted(await management.listPaymasters(input))).toHaveLength(1);
  });
});

describe('a paymaster is refused', () => {
  const cases = [
    ['a blank name', { name: '' }, 'INVALID_FIELD: name must be a string of 1 to 100 printable characters'],
    ['another type', { type: 'SPONSORED' }, 'INVALID_FIELD: type must be HYBRID'],
    ['the type in lower case', { type: 'hybrid' }, 'INVALID_FIELD: type must be HYBRID'],
    ['a chain that is not configured', { chainId: 1 }, 'PAYMASTER_CHAIN_NOT_SUPPORTED: Chain ID not supported'],
    ['a chain that is no number', { chainId: Number.NaN }, 'PAYMASTER_CHAIN_NOT_SUPPORTED: Chain ID not supported'],
    ['an unknown version', { version: '9' }, 'PAYMASTER_VERSION_NOT_SUPPORTED: Paymaster version not supported'],
    [
      "another chain's version",
      { chainId: 80002, version: '1.0.0' },
      'PAYMASTER_VERSION_NOT_SUPPORTED: Paymaster version not supported',
    ],
    ['a type before a chain', { type: '', chainId: 1 }, 'INVALID_FIELD: type must be HYBRID'],
    ['a chain before a version', { chainId: 1, version: '' }, 'PAYMASTER_CHAIN_NOT_SUPPORTED: Chain ID not supported'],
    [
      'an unknown account',
      { accountId: '00000000-0000-4000-8000-000000000000' },
      'ACCOUNT_NOT_FOUND: Account not found',
    ],
  ] as const;

  test.each(cases)('for %s', async (_, change, refusal) => {
    const { management, input } = await start();
    expect(refusalOf(await management.createPaymaster({ ...input, ...change }))).toBe(refusal);
    expect(accepted(await management.listPaymasters(input))).toEqual([]);
  });

  test('for a bad field even if the name is taken', async () => {
    const { management, input } = await start();
    accepted(await management.createPaymaster(input));
    const refusal = refusalOf(await management.createPaymaster({ ...input, version: '9' }));
    expect(refusal).toBe('PAYMASTER_VERSION_NOT_SUPPORTED: Paymaster version not supported');
  });
});
