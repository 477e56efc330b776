import { parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { rawUserOperation } from '../../gateway/rpc/sponsorship-request.ts';
import { accepted } from '../../server/accepted.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { scrape } from '../support/metrics/scrape.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import { answerJson, approve, startWebhookServer } from '../support/servers/webhook-server.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

// An application whose webhook is down goes on as far as its owner said, and no one can make it go further.

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
const going = (max: bigint, window: 'HOUR' | 'DAY' = 'DAY') =>
  ({ onFailure: 'SPONSOR', failureBudget: { window, max: max.toString() } }) as const;
const much = going(parseEther('1'));

async function hook(webhookUrl: string, settings: Settings = much): Promise<string> {
  const made = await management().createWebhook({ apiKey: apiKey(), webhookUrl, requestType: 'POST', ...settings });
  hooked.push(made.webhookId);
  return made.webhookId;
}

const operationOf = (sender = newSmartAccount('0.7')) =>
  nextOperation(lab.devnet, sender, [targetCall(lab.devnet, 'increment')]);
const ask = async () => askSponsorship(url(), await operationOf());

async function newest(outcome: 'signed' | 'refused' = 'signed') {
  const { decisions } = await management().listDecisions({ apiKey: apiKey(), outcome, limit: 1 });
  const [decision] = decisions;
  if (decision === undefined) throw new Error('There is no such decision.');
  return decision;
}
/** The most that an operation like those of these tests costs. */
async function worstCase(): Promise<bigint> {
  const webhookId = await hook((await startWebhookServer(approve)).url);
  signedAnswer(await ask());
  await management().deleteWebhook({ apiKey: apiKey(), webhookId });
  hooked.pop();
  return BigInt((await newest()).settlement?.held ?? 0);
}

test.each(['DATA', 'OPERATION'] as const)(
  'it is refused as before without a budget, and sponsored with one, which its decision says (%s)',
  async (payload) => {
    const server = await startWebhookServer(broken);
    const webhookId = await hook(server.url, { payload });
    expect(await ask()).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
    await management().updateWebhook({ apiKey: apiKey(), webhookId, active: true, ...much });
    signedAnswer(await ask());
    const { trace, facts } = await newest();
    expect(facts?.withoutWebhooks).toEqual([webhookId]);
    const reported = payload === 'OPERATION' ? ', with the operation' : '';
    expect(trace).toContainEqual({
      rule: 'webhook',
      verdict: 'passed',
      checked: `webhook ${webhookId}${reported}; sponsored without it: Webhook ${webhookId} answered 500.`,
    });
    expect(trace).toContainEqual(
      expect.objectContaining({
        rule: 'limit-webhook-day-wei',
        verdict: 'passed',
        checked: expect.stringContaining(`wei without webhook ${webhookId}`),
        limit: '1000000000000000000 wei in a day',
        used: '0 wei',
      }),
    );
  },
);

test('it is sponsored where no one listens, and says nothing of that once someone does', async () => {
  await hook(`http://127.0.0.1:${await findClosedPort()}/`);
  signedAnswer(await ask());
  expect((await newest()).facts?.withoutWebhooks).toHaveLength(1);
  await management().deleteWebhook({ apiKey: apiKey(), webhookId: hooked.splice(0)[0] ?? '' });
  await hook((await startWebhookServer(approve)).url);
  signedAnswer(await ask());
  expect((await newest()).facts?.withoutWebhooks).toBeUndefined();
});

test.each([
  ['a no', 200, { arePoliciesVerified: false }, 'WEBHOOK_REFUSED'],
  ['what is not understood', 200, { allowed: true }, 'WEBHOOK_UNAVAILABLE'],
  ['a 4xx', 403, {}, 'WEBHOOK_UNAVAILABLE'],
  ['a redirect', 302, {}, 'WEBHOOK_UNAVAILABLE'],
  ['more than is read', 200, { arePoliciesVerified: true, more: 'a'.repeat(20_000) }, 'WEBHOOK_UNAVAILABLE'],
])('%s refuses whatever the budget', async (_what, status, body, reason) => {
  await hook((await startWebhookServer(answerJson(body, status))).url);
  expect(await ask()).toMatchObject({ reason });
});

test('the no of another webhook refuses, and so does one that is down without a budget', async () => {
  await hook((await startWebhookServer(broken)).url);
  const refusing = await hook((await startWebhookServer(refuse)).url, { payload: 'OPERATION' });
  expect(await ask()).toMatchObject({ reason: 'WEBHOOK_REFUSED' });
  await management().deleteWebhook({ apiKey: apiKey(), webhookId: refusing });
  hooked.splice(hooked.indexOf(refusing), 1);
  const other = await hook((await startWebhookServer(broken)).url, {});
  expect(await ask()).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
  expect((await newest('refused')).message).toContain(other);
});

test('data that makes a call too long to be read is refused', async () => {
  await hook((await startWebhookServer(broken)).url);
  const operation = toRpcUserOperation(await operationOf());
  const send = async (length: number) => {
    const webhookData = { text: 'a'.repeat(length) };
    const sponsorshipInfo = { webhookData, smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } };
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'pm_sponsorUserOperation' },
      params: [operation, { mode: 'SPONSORED', calculateGasLimits: true, sponsorshipInfo }],
    };
    const headers = { 'content-type': 'application/json' };
    return (await fetch(url(), { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  expect(await send(66_000)).toMatchObject({ error: { data: { reason: 'WEBHOOK_UNAVAILABLE' } } });
  expect(await send(60_000)).toMatchObject({ result: expect.anything() });
});

test('a flood at once is sponsored as far as the budget goes, and learns nothing of it', async () => {
  const each = await worstCase();
  const server = await startWebhookServer(broken);
  const webhookId = await hook(server.url, going(each * 3n + each / 2n));
  const operations = await Promise.all(Array.from({ length: 20 }, () => operationOf()));
  const answers = await Promise.all(operations.map((operation) => askSponsorship(url(), operation)));
  expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(3);
  const refusals = answers.filter(({ result }) => result === undefined);
  for (const refusal of refusals) expect(refusal).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
  expect(JSON.stringify(refusals)).not.toContain((each * 3n + each / 2n).toString());
  // Changed, it is as good as new; another one is no help before.
  await hook((await startWebhookServer(broken)).url);
  expect(await ask()).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
  await management().updateWebhook({ apiKey: apiKey(), webhookId, active: true });
  expect(await ask()).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
  await management().updateWebhook({ apiKey: apiKey(), webhookId, active: true, ...going(each + each / 2n) });
  signedAnswer(await ask());
  expect(await ask()).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
});

test('it is told to the operator, and to no one who only asks what would be', async () => {
  const counted = async () => {
    const samples = await scrape(lab.service.adminUrl);
    return samples.find(({ name }) => name === 'tollfree_sponsored_without_webhook_total')?.value ?? 0;
  };
  await hook((await startWebhookServer(broken)).url);
  const before = await counted();
  const operation = await operationOf();
  const explained = await lab.service.core.explainSponsorship({
    ...(await owned()),
    method: 'sponsorUserOperation',
    askWebhooks: true,
    userOperation: rawUserOperation(toRpcUserOperation(operation)),
    context: {
      mode: 'SPONSORED',
      sponsorshipInfoGiven: true,
      smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
    },
  });
  expect(accepted(explained)).toMatchObject({ outcome: 'signed', facts: { withoutWebhooks: hooked } });
  expect(await counted()).toBe(before);
  signedAnswer(await askSponsorship(url(), operation));
  await vi.waitFor(async () => expect(await counted()).toBe(before + 1));
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
    const webhookId = await hook((await startWebhookServer(broken)).url, { ...much, payload });
    expect(await askSponsorship(url(), operation, wish)).toMatchObject({ reason: 'WEBHOOK_UNAVAILABLE' });
    await management().deleteWebhook({ apiKey: apiKey(), webhookId });
    hooked.pop();
  }
  accepted(await lab.service.core.setPolicy({ ...(await owned()), policy: { ...policy, thenPayInToken: false } }));
  await hook((await startWebhookServer(broken)).url);
  expect((await askSponsorship(url(), operation, wish)).result).toBeDefined();
});

test.each([
  [{ onFailure: 'SPONSOR' }, 'failureBudget is required for SPONSOR'],
  [{ failureBudget: { window: 'DAY', max: '1' } }, 'failureBudget requires onFailure SPONSOR'],
  [{ onFailure: 'REFUSE', failureBudget: { window: 'DAY', max: '1' } }, 'failureBudget requires onFailure SPONSOR'],
  [{ onFailure: 'ALLOW' }, 'onFailure must be REFUSE or SPONSOR'],
  [
    { ...much, failureBudget: { window: 'DAY', max: '0' } },
    'failureBudget.max must be 1 to 1000000000000000000000000000 wei',
  ],
  [{ ...much, failureBudget: { window: 'DAY', max: `${10n ** 27n + 1n}` } }, 'failureBudget.max must be 1 to'],
  [{ ...much, failureBudget: { window: 'WEEK', max: '1' } }, 'failureBudget.window must be one of HOUR, DAY'],
  [{ ...much, failureBudget: { window: 'DAY', max: '-1' } }, 'failureBudget.max must be wei in decimal digits'],
  [{ ...much, failureBudget: { window: 'DAY', max: '1', per: 'SENDER' } }, 'failureBudget.per is not known'],
  [{ ...much, failureBudget: '1' }, 'failureBudget must be an object'],
])('%j is no setting', async (settings, message) => {
  const server = await startWebhookServer(approve);
  await expect(hook(server.url, settings as Settings)).rejects.toThrow(message);
});

test('a webhook is listed with its budget, which stays until it refuses again', async () => {
  const webhookId = await hook((await startWebhookServer(approve)).url, going(7n, 'HOUR'));
  const update = (settings: Settings) =>
    management().updateWebhook({ apiKey: apiKey(), webhookId, active: true, ...settings });
  const listed = async () => (await management().listWebhooks({ apiKey: apiKey(), webhookId }))[0];
  expect(await listed()).toMatchObject(going(7n, 'HOUR'));
  await update({});
  expect(await listed()).toMatchObject(going(7n, 'HOUR'));
  await update({ failureBudget: { window: 'DAY', max: '9' } });
  expect(await listed()).toMatchObject(going(9n));
  const { webhooks } = await management().listAccountWebhooks({});
  expect(webhooks.find((webhook) => webhook.webhookId === webhookId)).toMatchObject(going(9n));
  await update({ onFailure: 'REFUSE' });
  expect(await listed()).not.toHaveProperty('failureBudget');
  expect(await listed()).not.toHaveProperty('onFailure');
  await expect(update({ onFailure: 'SPONSOR' })).rejects.toThrow('failureBudget is required for SPONSOR');
});
