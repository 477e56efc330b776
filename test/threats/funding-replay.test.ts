import { parseSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, test } from 'vitest';
import { callManagement, dataOf, newPaymaster, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const wallet = privateKeyToAccount(generatePrivateKey());
const invalid = [400, { statusCode: 400, message: 'Invalid signature' }];

/** The other signature of the same message by the same key: s mirrored, recovery flipped. */
function highSTwin(signature: `0x${string}`): string {
  const { r, s, yParity } = parseSignature(signature);
  const mirrored = (curveOrder - BigInt(s)).toString(16).padStart(64, '0');
  return `${r}${mirrored}${yParity === 0 ? '1c' : '1b'}`;
}

/** Threat 5: a consent to fund is good once, for the newest message of one paymaster, in its exact bytes. */
describe('replay of funding signatures over HTTP', () => {
  let skewMs = 0;
  const service = useService({ clock: { now: () => Date.now() + skewMs } });
  let tenant: Tenant;
  beforeEach(async () => {
    skewMs = 0;
    tenant = await newTenant(service());
  });

  const newMessage = async ({ headers, paymasterId }: Pick<Tenant, 'headers' | 'paymasterId'> = tenant) => {
    const answer = await callManagement(service(), 'GET', `/funding-message/${paymasterId}`, { headers });
    return (dataOf(answer) as { fundingMessage: string }).fundingMessage;
  };
  const setWallet = async (
    signature: string,
    { headers, paymasterId }: Pick<Tenant, 'headers' | 'paymasterId'> = tenant,
  ) => {
    const json = { paymasterId, type: 'paymasterFundingId', signature, address: wallet.address };
    const answer = await callManagement(service(), 'PATCH', '/paymaster', { headers, json });
    return [answer.status, answer.json];
  };
  const sign = (message: string) => wallet.signMessage({ message });

  test('the signature of an older message is invalid', async () => {
    const signature = await sign(await newMessage());
    await newMessage();
    expect(await setWallet(signature)).toEqual(invalid);
  });

  test('a used signature is invalid, also for the next message', async () => {
    const signature = await sign(await newMessage());
    expect((await setWallet(signature))[0]).toBe(200);
    expect(await setWallet(signature)).toEqual(invalid);
    await newMessage();
    expect(await setWallet(signature)).toEqual(invalid);
  });

  test('of two requests with one signature at the same time one succeeds', async () => {
    const signature = await sign(await newMessage());
    const answers = await Promise.all(Array.from({ length: 8 }, () => setWallet(signature)));
    const statuses = answers.map(([status]) => status).sort();
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  });

  test('the signature is not good for another paymaster of the same account', async () => {
    const other = await newPaymaster(service(), tenant.authToken);
    const twin = { paymasterId: other.paymasterId, headers: { ...tenant.headers, apiKey: other.apiKey } };
    await newMessage(twin);
    const signature = await sign(await newMessage());
    expect(await setWallet(signature, twin)).toEqual(invalid);
  });

  test('the signature is not good for another account’s paymaster', async () => {
    const stranger = await newTenant(service());
    await newMessage(stranger);
    const signature = await sign(await newMessage());
    expect(await setWallet(signature, stranger)).toEqual(invalid);
  });

  test('the high-s twin of a good signature is invalid', async () => {
    const signature = await sign(await newMessage());
    expect(await setWallet(highSTwin(signature))).toEqual(invalid);
    expect((await setWallet(signature))[0]).toBe(200);
  });

  test.each<[string, (message: string) => string]>([
    ['with CRLF line ends', (message) => message.replaceAll('\n', '\r\n')],
    ['with a line end at its end', (message) => `${message}\n`],
    ['in upper case', (message) => message.toUpperCase()],
    ['with another end of validity', (message) => message.replace(/(until: )\d{4}/, '$12999')],
  ])('the signature of the message %s is invalid', async (_name, change) => {
    const message = await newMessage();
    const changed = change(message);
    expect(changed).not.toBe(message);
    expect(await setWallet(await sign(changed))).toEqual(invalid);
  });

  test('a message is good for 15 minutes and not a second longer', async () => {
    const late = await sign(await newMessage());
    skewMs = 15 * 60_000 + 1_000;
    expect(await setWallet(late)).toEqual(invalid);
    skewMs = 0;
    const inTime = await sign(await newMessage());
    skewMs = 14 * 60_000;
    expect((await setWallet(inTime))[0]).toBe(200);
  });
});
