import { erc20Abi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { noKeyRules } from '../../core/domain/api-key-rules.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const webhookUrl = 'http://127.0.0.1:9/';

async function start() {
  const { management, profiles, store } = await startManagement();
  const { owned, paymaster } = await newPaymaster(management);
  const find = async () => {
    const profile = await profiles.find(paymaster.apiKey);
    if (profile === undefined) throw new Error('No profile');
    return profile;
  };
  return { management, profiles, store, owned, paymaster, find };
}

function overloaded(): string {
  const mint = { type: 'function', name: 'mint', stateMutability: 'payable', outputs: [] };
  return JSON.stringify([
    { ...mint, inputs: [] },
    { ...mint, inputs: [{ type: 'uint256' }] },
    { ...mint, name: 'burn', inputs: [{ type: 'uint256' }] },
  ]);
}

describe('a profile', () => {
  test('of a new paymaster sponsors nothing and asks no one', async () => {
    const { paymaster, find } = await start();
    const { etag: _, ...sponsoring } = paymaster;
    expect(await find()).toEqual({
      paymaster: sponsoring,
      key: {
        apiKeyId: expect.any(String),
        keyNumber: 0,
        isSet: false,
        name: 'default',
        disabled: false,
        rules: noKeyRules,
      },
      contracts: new Map(),
      webhooks: [],
      policy: defaultPolicy,
      callRules: new Map(),
      calledLimits: new Map(),
      named: new Map(),
      ticketKeys: [],
      keyLimits: new Map(),
      readAt: 0,
      bytes: expect.any(Number),
    });
  });

  test('has the whitelisted selectors by lower-case address', async () => {
    const { management, owned, find } = await start();
    const contract = { ...owned, name: 'Token', address, abi: JSON.stringify(erc20Abi) };
    accepted(await management.registerSmartContract({ ...contract, whitelistedMethods: ['transfer'] }));
    const entry = { name: 'Token', selectors: new Map([['0xa9059cbb', 64]]) };
    expect((await find()).contracts).toEqual(new Map([[address.toLowerCase(), entry]]));
  });

  test.each([
    [
      'a name: all its overloads',
      ['mint'],
      [
        ['0x1249c58b', 0],
        ['0xa0712d68', 32],
      ],
    ],
    ['a signature: one overload', ['mint(uint256)'], [['0xa0712d68', 32]]],
    [
      'a name and its signature: no more than the name',
      ['mint', 'mint()'],
      [
        ['0x1249c58b', 0],
        ['0xa0712d68', 32],
      ],
    ],
    ['nothing: nothing', [], []],
  ])('for %s', async (_, whitelistedMethods, selectors) => {
    const { management, owned, find } = await start();
    const contract = { ...owned, name: 'Mint', address, abi: overloaded(), whitelistedMethods };
    accepted(await management.registerSmartContract(contract));
    expect((await find()).contracts.get(address.toLowerCase())?.selectors).toEqual(
      new Map(selectors as [string, number][]),
    );
  });

  test('has the active webhooks with their secrets', async () => {
    const { management, owned, find } = await start();
    const active = accepted(await management.createWebhook({ ...owned, webhookUrl, requestType: 'GET' }));
    const inactive = accepted(await management.createWebhook({ ...owned, webhookUrl, requestType: 'POST' }));
    accepted(await management.updateWebhook({ ...owned, webhookId: inactive.webhookId, active: false }));
    const { webhookId } = active;
    const { secret } = accepted(await management.readWebhookSecret({ ...owned, webhookId }));
    expect((await find()).webhooks).toEqual([{ webhookId, webhookUrl, requestType: 'GET', secret }]);
  });

  test('is not found by another key', async () => {
    const { profiles, paymaster } = await start();
    const { apiKey } = paymaster;
    const last = apiKey.endsWith('0') ? '1' : '0';
    for (const key of ['', 'x', `${apiKey} `, apiKey.toUpperCase(), apiKey.slice(0, -1) + last, 'k'.repeat(100_000)]) {
      expect(await profiles.find(key)).toBeUndefined();
    }
  });
});

describe('a change is seen by the next sponsorship', () => {
  test('of contracts', async () => {
    const { management, owned, find } = await start();
    const selectors = async () => [
      ...((await find()).contracts.get(address.toLowerCase())?.selectors.keys() ?? ['none']),
    ];
    expect(await selectors()).toEqual(['none']);
    accepted(
      await management.registerSmartContract({ ...owned, name: 'Token', address, abi: JSON.stringify(erc20Abi) }),
    );
    expect(await selectors()).toEqual([]);
    accepted(await management.updateSmartContract({ ...owned, address, whitelistedMethods: ['approve'] }));
    expect(await selectors()).toEqual(['0x095ea7b3']);
    accepted(await management.deleteSmartContract({ ...owned, address }));
    expect(await selectors()).toEqual(['none']);
  });

  test('of webhooks and their secrets', async () => {
    const { management, owned, find } = await start();
    expect((await find()).webhooks).toEqual([]);
    const { webhookId } = accepted(await management.createWebhook({ ...owned, webhookUrl, requestType: 'GET' }));
    expect((await find()).webhooks).toHaveLength(1);
    const { secret } = accepted(await management.rotateWebhookSecret({ ...owned, webhookId }));
    expect((await find()).webhooks[0]?.secret).toBe(secret);
    accepted(await management.updateWebhook({ ...owned, webhookId, active: false }));
    expect((await find()).webhooks).toEqual([]);
    accepted(await management.updateWebhook({ ...owned, webhookId, active: true }));
    expect((await find()).webhooks).toHaveLength(1);
    accepted(await management.deleteWebhook({ ...owned, webhookId }));
    expect((await find()).webhooks).toEqual([]);
  });

  test('of the funding wallet', async () => {
    const { management, owned, find } = await start();
    expect((await find()).paymaster.fundingWallet).toBeUndefined();
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { fundingMessage } = accepted(await management.createFundingMessage(owned));
    const signature = await wallet.signMessage({ message: fundingMessage });
    accepted(await management.setFundingWallet({ ...owned, signature, address: wallet.address }));
    expect((await find()).paymaster.fundingWallet).toBe(wallet.address);
  });
});

describe('the cache', () => {
  test('answers without the database', async () => {
    const { store, find } = await start();
    const first = await find();
    await store.db.deleteFrom('api_keys').execute();
    expect(await find()).toBe(first);
  });

  test('does not keep what was read before a change that came while it was read', async () => {
    const { profiles, owned, store, find } = await start();
    const reading = find();
    await store.db.updateTable('paymasters').set({ name: 'Renamed' }).execute();
    profiles.forget(owned.paymasterId);
    await reading;
    expect((await find()).paymaster.name).toBe('Renamed');
  });

  test('does not remember that a key was unknown', async () => {
    const { management, profiles, store } = await start();
    const { paymaster } = await newPaymaster(management, 'Late');
    const row = await store.db
      .deleteFrom('api_keys')
      .where('paymaster_id', '=', paymaster.paymasterId)
      .returningAll()
      .executeTakeFirstOrThrow();
    expect(await profiles.find(paymaster.apiKey)).toBeUndefined();
    await store.db.insertInto('api_keys').values(row).execute();
    expect((await profiles.find(paymaster.apiKey))?.paymaster).toMatchObject({ paymasterId: paymaster.paymasterId });
  });
});
