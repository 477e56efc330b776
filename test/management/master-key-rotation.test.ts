import { expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { createManagement } from '../../core/management/create-management.ts';
import { resealSecrets } from '../../core/management/reseal-secrets.ts';
import { createSponsorProfiles } from '../../core/paymasters/sponsor-profiles.ts';
import { createKeyedDigest } from '../../core/store/keyed-digest.ts';
import { adoptMasterKey } from '../../core/store/master-keys/adopt-master-key.ts';
import { checkMasterKey, digestMasterKey, type MasterKeys } from '../../core/store/master-keys/check-master-key.ts';
import { createSecretBox } from '../../core/store/secret-box.ts';
import type { Store } from '../../core/store/store.ts';
import { webhookSecretBinding } from '../../core/webhooks/sign-webhook.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';

const keyOf = (byte: number) => new Secret<Uint8Array>(new Uint8Array(32).fill(byte));
const second = keyOf(2);
const third = keyOf(3);

/** A paymaster with all that is sealed or digested under a master key, as its first service made it. */
async function startOld() {
  const { management, store, config, clock } = await startManagement();
  await adoptMasterKey(store, config);
  const { owned, paymaster } = await newPaymaster(management);
  const url = 'http://127.0.0.1:9/';
  const { webhookId } = accepted(await management.createWebhook({ ...owned, webhookUrl: url, requestType: 'POST' }));
  const events = ['operation.settled'];
  const { notificationId } = accepted(await management.createNotification({ ...owned, url, events }));
  const { authToken } = accepted(await management.createAuthToken({ accountId: owned.accountId, name: 'ci' }));
  const webhookSecret = accepted(await management.readWebhookSecret({ ...owned, webhookId })).secret;
  const notificationSecret = accepted(await management.readNotificationSecret({ ...owned, notificationId })).secret;

  /** Everything is as it was for a service with these keys. */
  async function expectAllServed(keys: MasterKeys): Promise<void> {
    const profiles = createSponsorProfiles({ ...keys, store, clock });
    const now = createManagement({
      store,
      profiles,
      clock,
      config: { ...config, ...keys } as CoreConfig,
      coinPrice: async () => undefined,
    });
    const { apiKey } = paymaster;
    expect(accepted(await now.authenticate({ authToken, apiKey }))).toMatchObject(owned);
    expect((await profiles.find(apiKey))?.webhooks).toMatchObject([{ secret: webhookSecret }]);
    expect((await profiles.findById(owned.paymasterId))?.paymaster.apiKey).toBe(apiKey);
    expect(accepted(await now.readNotificationSecret({ ...owned, notificationId })).secret).toBe(notificationSecret);
  }
  return { store, first: config.masterKey, expectAllServed, management, owned };
}

const partsOf = ({ masterKey, previousMasterKeys }: MasterKeys) => ({
  box: createSecretBox(masterKey, previousMasterKeys),
  digestApiKey: createKeyedDigest(masterKey, 'api-key-digest'),
  newest: digestMasterKey(masterKey),
  isClosed: () => false,
  pause: async () => undefined,
});

const reseal = (store: Store, keys: MasterKeys) => resealSecrets(store, partsOf(keys));

test('of processes whose newest keys differ only the one seals that took a new one last, and the other serves', async () => {
  const { store, first, expectAllServed, management, owned } = await startOld();
  const [before, after] = [
    { masterKey: first, previousMasterKeys: [second] },
    { masterKey: second, previousMasterKeys: [first] },
  ];
  expect(await adoptMasterKey(store, after)).toBe(true);
  const hook = { ...owned, webhookUrl: 'http://127.0.0.1:9/late', requestType: 'POST' };
  await expect(management.createWebhook(hook)).rejects.toThrow('seals with a newer master key');
  await expect(management.rotateApiKey({ ...owned, graceSeconds: 0 })).rejects.toThrow('seals with a newer master key');
  await expectAllServed(before);
  await expectAllServed(after);

  // Started again as it was: now the others seal nothing, nor do they take its key for one that is no longer needed.
  await adoptMasterKey(store, before);
  expect(await reseal(store, after)).toBe(false);
  accepted(await management.createWebhook(hook));
  await adoptMasterKey(store, after);
  expect(await reseal(store, after)).toBe(true);
  const box = createSecretBox(second);
  const webhooks = await store.db.selectFrom('webhooks').selectAll().execute();
  expect(webhooks).toHaveLength(2);
  for (const { webhook_id, secret_sealed } of webhooks) box.open(secret_sealed, webhookSecretBinding(webhook_id));
});

test('with a new master key and the one before it everything works before, while and after it is sealed again', async () => {
  const { store, first, expectAllServed, management, owned } = await startOld();
  const keys = { masterKey: second, previousMasterKeys: [first] };
  expect(await adoptMasterKey(store, keys)).toBe(true);
  await expectAllServed(keys);

  // Stopped in the middle: what is not sealed again yet still needs the old key, also after another start.
  let steps = 0;
  expect(await resealSecrets(store, { ...partsOf(keys), isClosed: () => ++steps > 2 })).toBe(false);
  await expectAllServed(keys);
  await expect(adoptMasterKey(store, { masterKey: second })).rejects.toThrow(/previousMasterKeyFiles/);
  await expect(adoptMasterKey(store, { masterKey: first })).rejects.toThrow(/previousMasterKeyFiles/);
  expect(await adoptMasterKey(store, keys)).toBe(true);

  expect(await reseal(store, keys)).toBe(true);
  await expectAllServed(keys);
  expect(await adoptMasterKey(store, { masterKey: second })).toBe(false);
  await expectAllServed({ masterKey: second });
  await expect(adoptMasterKey(store, { masterKey: first })).rejects.toThrow(/does not match this database/);
  const oldBox = createSecretBox(first);
  const rows = await store.db.selectFrom('api_keys').selectAll().execute();
  for (const row of rows) {
    expect(() => oldBox.open(row.sealed, `paymasters/${row.paymaster_id}/api_key`)).toThrow(/sealed/);
    expect(row.digest).toHaveLength(64);
  }
  expect(accepted(await management.listAuthTokens({ accountId: owned.accountId }))).toHaveLength(1);
});

test('authTokens outlive two rotations, of which neither key is left', async () => {
  const { store, first, expectAllServed } = await startOld();
  for (const keys of [
    { masterKey: second, previousMasterKeys: [first] },
    { masterKey: third, previousMasterKeys: [second] },
  ]) {
    await adoptMasterKey(store, keys);
    expect(await reseal(store, keys)).toBe(true);
  }
  await expectAllServed({ masterKey: third });
});

test('a value that opens with none of the keys keeps all of them needed', async () => {
  const { store, first } = await startOld();
  await store.db
    .updateTable('webhooks')
    .set({ secret_sealed: createSecretBox(third).seal('whsec_x', 'webhooks/elsewhere/secret') })
    .execute();
  const keys = { masterKey: second, previousMasterKeys: [first] };
  await adoptMasterKey(store, keys);
  await expect(reseal(store, keys)).rejects.toThrow(/altered, moved, or sealed under another master key/);
  await expect(adoptMasterKey(store, { masterKey: second })).rejects.toThrow(/previousMasterKeyFiles/);
});

test('a command next to the service does not begin with a new master key before the service does', async () => {
  const { store, first } = await startOld();
  const keys = { masterKey: second, previousMasterKeys: [first] };
  await expect(checkMasterKey(store, keys)).rejects.toThrow(/Start it with this configuration first/);
  await adoptMasterKey(store, keys);
  await checkMasterKey(store, keys);
  await expect(checkMasterKey(store, { masterKey: first })).rejects.toThrow(/previousMasterKeyFiles/);
});
