import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { accepted } from '../../server/accepted.ts';
import {
  approveCall,
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import { answerJson, startWebhookServer } from '../support/servers/webhook-server.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

// Without the answer of a webhook nothing is sponsored.

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab({ handle: 'grpc' });
});
afterAll(() => lab?.close());
const hooked: string[] = [];
afterEach(async () => {
  for (const webhookId of hooked.splice(0)) await management().deleteWebhook({ apiKey: apiKey(), webhookId });
});

const apiKey = () => lab.paymaster('0.7').apiKey;
const url = () => lab.paymaster('0.7').rpcUrl;
const management = () => lab.service.managementOf(lab.authToken);
const broken = answerJson({ error: 'out of order' }, 500);
const refuse = answerJson({ arePoliciesVerified: false });

async function owned() {
  const { accountId } = accepted(await lab.service.core.authenticate({ authToken: lab.authToken }));
  return { accountId, paymasterId: lab.paymaster('0.7').paymasterId };
}

type Settings = Partial<Parameters<ReturnType<typeof management>['createWebhook']>[0]>;

async function hook(webhookUrl: string, settings: Settings = {}): Promise<string> {
  const made = await management().createWebhook({ apiKey: apiKey(), webhookUrl, requestType: 'POST', ...settings });
  hooked.push(made.webhookId);
  return made.webhookId;
}

const operationOf = (sender = newSmartAccount('0.7')) =>
  nextOperation(lab.devnet, sender, [targetCall(lab.devnet, 'increment')]);
const ask = async () => askSponsorship(url(), await operationOf());

test.each(['DATA', 'OPERATION'] as const)(
  'a webhook that is down refuses, and says which it is (%s)',
  async (payload) => {
    const webhookId = await hook((await startWebhookServer(broken)).url, { payload });
    const message = `Webhook ${webhookId} answered 500.`;
    expect(await ask()).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE', message });
    await management().updateWebhook({ apiKey: apiKey(), webhookId, active: false });
    signedAnswer(await ask());
  },
);

test('one where no one listens refuses', async () => {
  await hook(`http://127.0.0.1:${await findClosedPort()}/`);
  expect(await ask()).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
});

test.each([
  ['a no', 200, { arePoliciesVerified: false }, 'WEBHOOK_REFUSED'],
  ['what is not understood', 200, { allowed: true }, 'WEBHOOK_UNAVAILABLE'],
  ['a 4xx', 403, {}, 'WEBHOOK_UNAVAILABLE'],
  ['a redirect', 302, {}, 'WEBHOOK_UNAVAILABLE'],
  ['more than is read', 200, { arePoliciesVerified: true, more: 'a'.repeat(20_000) }, 'WEBHOOK_UNAVAILABLE'],
])('%s refuses', async (_what, status, body, reason) => {
  await hook((await startWebhookServer(answerJson(body, status))).url);
  expect(await ask()).toMatchObject({ reason });
});

test('the no of a webhook is told before the outage of another one', async () => {
  await hook((await startWebhookServer(broken)).url);
  await hook((await startWebhookServer(refuse)).url);
  expect(await ask()).toMatchObject({ reason: 'WEBHOOK_REFUSED' });
});

test('what users pay for is refused without its webhook, where the policy binds that as what is given away', async () => {
  const usdc = tokenWith(lab.devnet, 6);
  const account = newSmartAccount('0.7');
  const { sender } = await operationOf(account);
  const { address } = lab.paymaster('0.7');
  await fundWithTokens(lab.devnet, usdc, { owner: sender, spender: address });
  const policy: Policy = { ...defaultPolicy, tokens: { enabled: true, allowed: [usdc.address] }, thenPayInToken: true };
  accepted(await lab.service.core.setPolicy({ ...(await owned()), policy }));
  const calls = [approveCall(usdc, address, 10n ** 18n), targetCall(lab.devnet, 'increment')];
  const operation = await nextOperation(lab.devnet, account, calls);
  const wish = { token: usdc.address };
  for (const payload of ['DATA', 'OPERATION'] as const) {
    const webhookId = await hook((await startWebhookServer(broken)).url, { payload });
    expect(await askSponsorship(url(), operation, wish)).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
    await management().deleteWebhook({ apiKey: apiKey(), webhookId });
    hooked.pop();
  }
  accepted(await lab.service.core.setPolicy({ ...(await owned()), policy: { ...policy, thenPayInToken: false } }));
  await hook((await startWebhookServer(broken)).url);
  expect((await askSponsorship(url(), operation, wish)).result).toBeDefined();
});
