import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { createSponsorProfiles } from '../../core/paymasters/sponsor-profiles.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const webhookUrl = 'http://127.0.0.1:9/';

describe.skipIf(isOnPostgres)('the database file', () => {
  test('and its log hold no authToken, apiKey or webhook secret in the clear', async () => {
    const { management, store, folder } = await startManagement();
    const { owned, paymaster } = await newPaymaster(management, 'Findable name');
    const { authToken } = accepted(await management.createAuthToken({ accountId: owned.accountId, name: 'ci' }));
    const { webhookId } = accepted(await management.createWebhook({ ...owned, webhookUrl, requestType: 'GET' }));
    const { secret } = accepted(await management.readWebhookSecret({ ...owned, webhookId }));
    const rotated = accepted(await management.rotateWebhookSecret({ ...owned, webhookId })).secret;

    const readAll = () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    const inTheLog = readAll();
    await store.close();
    const afterwards = readAll();
    const [prefix = '', uuid = ''] = paymaster.apiKey.split('.');
    for (const bytes of [inTheLog, afterwards]) {
      expect(bytes.includes('Findable name'), 'the search finds what is there').toBe(true);
      for (const text of [
        authToken,
        authToken.slice(3, 20),
        paymaster.apiKey,
        prefix,
        uuid,
        uuid.replaceAll('-', ''),
      ]) {
        expect(bytes.includes(text)).toBe(false);
      }
      for (const { base64 } of [secret, rotated].map((text) => ({ base64: text.slice('whsec_'.length) }))) {
        expect(bytes.includes(base64)).toBe(false);
        expect(bytes.includes(Buffer.from(base64, 'base64'))).toBe(false);
      }
    }
  });

  test('opened again, gives back everything', async () => {
    const first = await startManagement();
    const { owned, paymaster } = await newPaymaster(first.management);
    const { authToken } = accepted(await first.management.createAuthToken({ accountId: owned.accountId, name: 'ci' }));
    const webhook = accepted(await first.management.createWebhook({ ...owned, webhookUrl, requestType: 'GET' }));
    const { webhookId } = webhook;
    const secret = accepted(await first.management.readWebhookSecret({ ...owned, webhookId }));
    await first.store.close();

    const { management, profiles } = await startManagement({ folder: first.folder });
    expect(accepted(await management.authenticate({ authToken, apiKey: paymaster.apiKey }))).toMatchObject(owned);
    expect(accepted(await management.listPaymasters(owned))).toEqual([paymaster]);
    expect(accepted(await management.listWebhooks(owned))).toEqual([webhook]);
    expect(accepted(await management.readWebhookSecret({ ...owned, webhookId }))).toEqual(secret);
    expect((await profiles.find(paymaster.apiKey))?.webhooks).toEqual([
      { webhookId, webhookUrl, requestType: 'GET', ...secret },
    ]);
  });

  test('copied from one row to another, a sealed apiKey does not open', async () => {
    const { management, store } = await startManagement();
    const { paymaster } = await newPaymaster(management);
    const other = await newPaymaster(management);
    const sealed = store.db.selectFrom('api_keys').select('sealed').where('paymaster_id', '=', paymaster.paymasterId);
    await store.db
      .updateTable('api_keys')
      .set((row) => ({ sealed: row.selectFrom(sealed.as('copied')).select('sealed') }))
      .where('paymaster_id', '=', other.paymaster.paymasterId)
      .execute();
    await expect(management.listPaymasters(other.owned)).rejects.toThrow();
  });

  test('under another master key knows no apiKey', async () => {
    const { management, store, clock } = await startManagement();
    const { paymaster } = await newPaymaster(management);
    const profiles = createSponsorProfiles({ store, clock, masterKey: new Secret(new Uint8Array(32)) });
    expect(await profiles.find(paymaster.apiKey)).toBeUndefined();
  });
});
