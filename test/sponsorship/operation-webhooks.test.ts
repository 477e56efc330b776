import { Webhook } from 'standardwebhooks';
import { toFunctionSelector } from 'viem';
import { entryPoint07Address } from 'viem/account-abstraction';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
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
import { answerJson, approve, startWebhookServer } from '../support/servers/webhook-server.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

// A webhook that is told of the operation decides about what is signed, and not about what a caller says of it.

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
const refuse = answerJson({ arePoliciesVerified: false });

async function owned() {
  const { accountId } = accepted(await lab.service.core.authenticate({ authToken: lab.authToken }));
  return { accountId, paymasterId: lab.paymaster('0.7').paymasterId };
}

async function hook(webhookUrl: string, payload?: 'DATA' | 'OPERATION') {
  const made = await management().createWebhook({ apiKey: apiKey(), webhookUrl, requestType: 'POST', payload });
  hooked.push(made.webhookId);
  const { secret } = await management().readWebhookSecret({ apiKey: apiKey(), webhookId: made.webhookId });
  return { ...made, secret };
}

const operationOf = (sender = newSmartAccount('0.7')) =>
  nextOperation(lab.devnet, sender, [targetCall(lab.devnet, 'increment')]);

test('it has the operation that is signed, its calls and what it can cost, and nothing that is secret', async () => {
  const server = await startWebhookServer(approve);
  const { webhookId, secret } = await hook(server.url, 'OPERATION');
  const operation = await operationOf();
  const signed = signedAnswer(await askSponsorship(url(), operation));

  const [asked] = server.received;
  expect(server.received).toHaveLength(1);
  new Webhook(secret).verify(asked?.body ?? '', asked?.request.headers as Record<string, string>);
  const { data, sponsorship } = JSON.parse(asked?.body ?? '');
  const { core } = lab.service;
  const [decision] = accepted(await core.listDecisions({ ...(await owned()), filter: {}, limit: 1 })).decisions;
  expect(data).toEqual({});
  const { target } = lab.devnet;
  expect(sponsorship).toMatchObject({
    version: 1,
    mode: 'SPONSORED',
    chainId: 31_337,
    entryPoint: entryPoint07Address,
    ticket: null,
    paymasterId: lab.paymaster('0.7').paymasterId,
    decisionId: decision?.decisionId,
    userOperation: { sender: operation.sender, callData: operation.callData },
    calls: [{ target: target.address, value: '0', selector: toFunctionSelector('increment()') }],
    worstCaseWei: decision?.settlement?.held.toString(),
    worstCaseUsd: expect.stringMatching(/^\d+\.\d{6}$/),
  });
  expect(BigInt(sponsorship.userOperation.callGasLimit)).toBe(signed.callGasLimit);
  expect(asked?.body).not.toContain(apiKey());
  expect(decision?.trace).toContainEqual(
    expect.objectContaining({ rule: 'webhook', checked: `webhook ${webhookId}, with the operation` }),
  );
  await vi.waitFor(async () => {
    const { answers } = await management().listWebhookAnswers({ apiKey: apiKey(), webhookId });
    expect(answers).toMatchObject([{ verdict: 'approved', payload: 'OPERATION', isTest: false }]);
  });
});

test('its no refuses, whatever another webhook says that is told less', async () => {
  const [agreeing, refusing] = [await startWebhookServer(approve), await startWebhookServer(refuse)];
  await hook(agreeing.url);
  await hook(refusing.url, 'OPERATION');
  expect(await askSponsorship(url(), await operationOf())).toMatchObject({ reason: 'WEBHOOK_REFUSED' });
  expect(agreeing.received.map(({ body }) => body)).toEqual(['{"data":{}}']);
});

test('of one that says no before, it is not told at all', async () => {
  const [reported, refusing] = [await startWebhookServer(approve), await startWebhookServer(refuse)];
  await hook(reported.url, 'OPERATION');
  await hook(refusing.url);
  expect(await askSponsorship(url(), await operationOf())).toMatchObject({ reason: 'WEBHOOK_REFUSED' });
  expect(reported.received).toEqual([]);
});

test('it decides about what the user pays for too, where the policy binds that as what is given away', async () => {
  const usdc = tokenWith(lab.devnet, 6);
  const account = newSmartAccount('0.7');
  const { sender } = await operationOf(account);
  const { address } = lab.paymaster('0.7');
  await fundWithTokens(lab.devnet, usdc, { owner: sender, spender: address });
  const tokens = { enabled: true, allowed: [usdc.address] };
  const policy: Policy = { ...defaultPolicy, tokens, thenPayInToken: true };
  accepted(await lab.service.core.setPolicy({ ...(await owned()), policy }));
  const server = await startWebhookServer(refuse);
  await hook(server.url, 'OPERATION');
  const calls = [approveCall(usdc, address, 10n ** 18n), targetCall(lab.devnet, 'increment')];
  const operation = await nextOperation(lab.devnet, account, calls);
  const wish = { token: usdc.address };
  expect(await askSponsorship(url(), operation, wish)).toMatchObject({ reason: 'WEBHOOK_REFUSED' });
  const { sponsorship } = JSON.parse(server.received[0]?.body ?? '');
  expect(sponsorship).toMatchObject({
    mode: 'ERC20',
    calls: [{ target: usdc.address }, { contractName: expect.any(String) }],
  });
  accepted(await lab.service.core.setPolicy({ ...(await owned()), policy: { ...policy, thenPayInToken: false } }));
  expect((await askSponsorship(url(), operation, wish)).result).toBeDefined();
  expect(server.received).toHaveLength(1);
});

test('a webhook that is called with GET is told no operation', async () => {
  const server = await startWebhookServer(approve);
  const body = { apiKey: apiKey(), webhookUrl: server.url, requestType: 'GET', payload: 'OPERATION' } as const;
  await expect(management().createWebhook(body)).rejects.toThrow(/payload must be DATA for a webhook .* GET/);
});
