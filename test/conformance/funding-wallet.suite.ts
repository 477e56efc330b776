import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, test } from 'vitest';
import { callManagement, dataOf, newPaymaster, newTenant, type Tenant } from '../support/interface/tenant.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { expectFields } from './expect-fields.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const invalidSignature = [400, { statusCode: 400, message: 'Invalid signature' }];
const paymasterNotFound = [404, { statusCode: 404, message: 'Paymaster not found' }];
const unknownId = '00000000-0000-4000-8000-000000000000';

/** Section 4.4 of the interface and decision 6: the funding wallet in three steps. */
export function describeFundingWallet(service: () => RunningService): void {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await newTenant(service());
  });
  const askMessage = (paymasterId = tenant.paymasterId) =>
    callManagement(service(), 'GET', `/funding-message/${paymasterId}`, { headers: tenant.headers });
  const newMessage = async () => (dataOf(await askMessage()) as { fundingMessage: string }).fundingMessage;
  const setWallet = async (fields: { signature: string; address?: string; paymasterId?: string; type?: string }) => {
    const { paymasterId } = tenant;
    const json = { paymasterId, type: 'paymasterFundingId', address: wallet.address, ...fields };
    const answer = await callManagement(service(), 'PATCH', '/paymaster', { headers: tenant.headers, json });
    return [answer.status, answer.json];
  };
  const sign = (message: string) => wallet.signMessage({ message });

  describe('4.4 funding wallet', () => {
    test('step 1: GET funding-message answers a message of several lines with a time in it', async () => {
      const answer = await askMessage();
      expect(answer.json).toMatchObject({ statusCode: 200, message: 'Funding message sent' });
      expectFields(dataOf(answer), { fundingMessage: 'string' });
      expect(await newMessage()).toMatch(/\n.*\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/s);
    });

    test('step 3: PATCH paymaster with its signature answers name, chain id, apiKey and paymasterId', async () => {
      const [status, json] = await setWallet({ signature: await sign(await newMessage()) });
      expect(status).toBe(200);
      expect(json).toMatchObject({ statusCode: 200, message: 'Paymaster updated successfully' });
      const { data } = json as { data: unknown };
      expectFields(
        data,
        { name: 'string', chainId: 'number', apiKey: 'string', paymasterId: 'string' },
        { version: 'string', contract: 'object', etag: 'string' },
      );
      const { name, apiKey, paymasterId } = tenant;
      expect(data).toMatchObject({ name, chainId: service().devnet.chainId, apiKey, paymasterId });
    });

    test('a signature over an older message is invalid, over the newest valid', async () => {
      const older = await newMessage();
      const newest = await newMessage();
      expect(await setWallet({ signature: await sign(older) })).toEqual(invalidSignature);
      expect((await setWallet({ signature: await sign(newest) }))[0]).toBe(200);
    });

    test('an address that is not the signer is invalid', async () => {
      const address = privateKeyToAccount(generatePrivateKey()).address;
      expect(await setWallet({ signature: await sign(await newMessage()), address })).toEqual(invalidSignature);
    });
  });

  describe('decision 6: the message', () => {
    test('names the paymaster, the chain and an end, and is another one each time', async () => {
      const message = await newMessage();
      expect(message).toContain(tenant.paymasterId);
      expect(message).toContain(String(service().devnet.chainId));
      const times = message.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
      const [issued = Number.NaN, expires = Number.NaN] = times.map((time) => Date.parse(time));
      expect(expires - issued).toBe(15 * 60_000);
      expect(await newMessage()).not.toBe(message);
    });

    test('can be used once', async () => {
      const signature = await sign(await newMessage());
      expect((await setWallet({ signature }))[0]).toBe(200);
      expect(await setWallet({ signature })).toEqual(invalidSignature);
    });

    test.each<[string, (signature: string) => string]>([
      ['no hex', () => 'nonsense'],
      ['empty', () => ''],
      ['64 bytes', (signature) => signature.slice(0, -2)],
      ['66 bytes', (signature) => `${signature}00`],
      ['all zeros', () => `0x${'00'.repeat(65)}`],
      ['another recovery byte', (signature) => `${signature.slice(0, -2)}00`],
      ['without 0x', (signature) => signature.slice(2)],
    ])('a signature that is %s is invalid', async (_name, change) => {
      const signature = change(await sign(await newMessage()));
      expect(await setWallet({ signature })).toEqual(invalidSignature);
    });

    test('without a message before, every signature is invalid', async () => {
      expect(await setWallet({ signature: await sign('anything') })).toEqual(invalidSignature);
    });
  });

  describe('decision 2: the paymaster of the funding calls', () => {
    test('an unknown, a foreign and another own paymasterId are not found', async () => {
      const stranger = await newTenant(service());
      const other = await newPaymaster(service(), tenant.authToken);
      const signature = await sign(await newMessage());
      for (const paymasterId of [unknownId, 'nonsense', stranger.paymasterId, other.paymasterId]) {
        const asked = await askMessage(paymasterId);
        expect([asked.status, asked.json]).toEqual(paymasterNotFound);
        expect(await setWallet({ signature, paymasterId })).toEqual(paymasterNotFound);
      }
    });

    test('another type than paymasterFundingId is 400', async () => {
      const message = 'type must be paymasterFundingId';
      expect(await setWallet({ signature: '0x', type: 'HYBRID' })).toEqual([400, { statusCode: 400, message }]);
    });
  });
}
