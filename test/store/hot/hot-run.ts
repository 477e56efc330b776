import { expect, vi } from 'vitest';
import { createManagementClient } from '../../../clients/sdk/create-management-client.ts';
import { operationList } from '../../../contract/operations.ts';
import type { Owned } from '../../../core/domain/access/actor.ts';
import type { Core } from '../../../core/domain/core.ts';
import { usageDimensions } from '../../../core/domain/usage.ts';
import { accepted } from '../../../server/accepted.ts';
import { mineAt, newSmartAccount, nextOperation, targetCall, tokenWith } from '../../support/chain/chain-lab.ts';
import { land } from '../../support/chain/chain-landing.ts';
import { startWebhookServer } from '../../support/servers/webhook-server.ts';
import { askQuotes, askSponsorship, sponsor, withAnswer } from '../../support/service/chain-sponsorship.ts';
import type { RunningService } from '../../support/service/running-service.ts';

const day = 86_400;
const limits = [
  { per: 'SENDER', window: 'HOUR', unit: 'OPERATIONS', max: '1000000' },
  { per: 'TOTAL', window: 'DAY', unit: 'WEI', max: '1000000000000000000000' },
  { per: 'TOTAL', window: 'MONTH', unit: 'USD', max: '1000000' },
] as const;

/**
 * What a service does all day, once each: answers of each kind, one that lands with those who are told of it, one that
 * expires, and all that its account holder reads of it.
 */
export async function runHot(service: RunningService): Promise<void> {
  const { accountId, authToken } = await service.issueAccount();
  const paymaster = await service.fundedPaymaster(authToken, '0.7');
  const { apiKey, rpcUrl, paymasterId } = paymaster;
  const client = createManagementClient({ baseUrl: service.url, authToken, apiKey });
  const called = { unit: 'OPERATIONS', max: '1000000', contract: service.devnet.target.address } as const;
  await client.setPolicy({
    policy: {
      limits: [...limits, { per: 'SENDER', window: 'DAY', ...called }, { per: 'TOTAL', window: 'WEEK', ...called }],
    },
  });
  await client.createBudget({ name: 'all', maxUsd: '1000', window: 'MONTH' });
  await client.createBudget({ name: 'ever', maxUsd: '100000', window: 'EVER' });
  const receiver = await startWebhookServer((response) => response.end('{"arePoliciesVerified":true}'));
  await client.createNotification({
    url: receiver.url,
    events: ['operation.settled', 'operation.included', 'operation.dropped', 'tank.low'],
    tankLow: { thresholdWei: '1' },
  });
  await client.createWebhook({ webhookUrl: receiver.url, requestType: 'POST' });
  await answerAll(service, rpcUrl);
  const owned = { accountId, paymasterId };
  const settled = async () => {
    const { decisions } = accepted(await service.core.listDecisions({ ...owned, filter: { outcome: 'signed' } }));
    return decisions.map(({ settlement }) => settlement?.state);
  };
  await vi.waitFor(async () => expect(await settled()).toContain('settled'), { timeout: 20_000 });
  await mineAt(service.devnet, Number((await service.devnet.client.getBlock()).timestamp) + day);
  await vi.waitFor(async () => expect(await settled()).toEqual(expect.not.arrayContaining(['live'])), {
    timeout: 20_000,
  });
  await readAll(service, owned);
}

async function answerAll({ devnet }: RunningService, rpcUrl: string): Promise<void> {
  const account = newSmartAccount('0.7');
  const increment = [targetCall(devnet, 'increment')];
  const first = await nextOperation(devnet, account, increment);
  const outcome = await land(devnet, account, withAnswer(first, await sponsor(rpcUrl, first)));
  expect(outcome.success).toBe(true);
  const second = await nextOperation(devnet, account, increment);
  await sponsor(rpcUrl, second);
  await sponsor(rpcUrl, second);
  await askQuotes(rpcUrl, second);
  await askSponsorship(rpcUrl, second, { token: tokenWith(devnet, 6).address });
  const refused = await askSponsorship(rpcUrl, await nextOperation(devnet, account, [targetCall(devnet, 'fail')]));
  expect(refused.reason).toBe('METHOD_NOT_WHITELISTED');
}

/** What needs a session, a wallet's signature or an explorer, and reads a row by its key. */
const notRead: readonly string[] = [
  ...['createFundingMessage', 'fetchContractAbi', 'readSignUp', 'readSession', 'listMemberships', 'readNamedPolicy'],
];

/** Everything about one paymaster, and about the whole for the operator. */
async function readAll(service: RunningService, owned: Owned): Promise<void> {
  const { adminUrl, devnet } = service;
  const called = new Set<string>();
  const core = new Proxy(service.core, {
    get: (all, name) => {
      called.add(String(name));
      return Reflect.get(all, name);
    },
  });
  await readEach(core, { adminUrl, chainId: devnet.chainId }, owned);
  const reads = operationList.filter(({ method }) => method === 'GET');
  const names = reads.map((operation) => ('calls' in operation ? operation.calls : operation.name));
  expect(names.filter((name) => !called.has(name) && !notRead.includes(name))).toEqual([]);
}

async function readEach(
  core: Core,
  { adminUrl, chainId }: { readonly adminUrl: string; readonly chainId: number },
  owned: Owned,
): Promise<void> {
  const sender = '0x00000000000000000000000000000000000000aa';
  const filters = [
    ...[{}, { sender }, { mode: 'ERC20' }, { reason: 'NO_POLICIES' }, { from: 1, until: 2 }, { status: 'included' }],
    { txHash: `0x${'ab'.repeat(32)}` },
  ] as const;
  for (const filter of filters) {
    const page = accepted(await core.listDecisions({ ...owned, filter, limit: 1 }));
    const { nextCursor: cursor } = page;
    if (cursor !== undefined) accepted(await core.listDecisions({ ...owned, filter, cursor }));
    for (const { settlement } of page.decisions) {
      const txHash = settlement?.txHash;
      if (txHash !== undefined) accepted(await core.listDecisions({ ...owned, filter: { txHash } }));
    }
    for (const { decisionId } of page.decisions) accepted(await core.getDecision({ ...owned, decisionId }));
    for (const { userOperationHash } of page.decisions) {
      if (userOperationHash !== undefined) accepted(await core.getOperation({ ...owned, userOperationHash }));
    }
  }
  for (const by of usageDimensions) accepted(await core.getUsage({ ...owned, by }));
  for (const state of ['pending', 'delivered', 'failed'] as const) {
    accepted(await core.listNotificationDeliveries({ ...owned, filter: { state } }));
  }
  accepted(await core.listNotificationDeliveries({ ...owned, filter: {} }));
  for (const { notificationId } of accepted(await core.listNotifications(owned))) {
    accepted(await core.listNotificationDeliveries({ ...owned, filter: { notificationId } }));
    accepted(await core.listNotificationDeliveries({ ...owned, filter: { notificationId, state: 'delivered' } }));
  }
  accepted(await core.readGasTank(owned));
  accepted(await core.listGasTankEntries({ ...owned, beforeEntryId: 1_000_000 }));
  accepted(await core.listGasTankDays(owned));
  accepted(await core.readGasTankStatement(owned));
  accepted(await core.readAccountStatement(owned));
  accepted(await core.previewPolicy({ ...owned, policy: accepted(await core.readPolicy(owned)) }));
  accepted(await core.readPolicyUse(owned));
  accepted(await core.listPaymasters(owned));
  accepted(await core.listSmartContracts(owned));
  accepted(await core.listApiKeys(owned));
  accepted(await core.listAccountWebhooks(owned));
  for (const { webhookId } of accepted(await core.listWebhooks(owned))) {
    accepted(await core.listWebhookAnswers({ ...owned, webhookId }));
  }
  accepted(await core.listSessions(owned));
  for (const { webhookId } of accepted(await core.listWebhooks(owned))) {
    accepted(await core.readWebhookSecret({ ...owned, webhookId }));
  }
  for (const { notificationId } of accepted(await core.listNotifications(owned))) {
    accepted(await core.readNotificationSecret({ ...owned, notificationId }));
  }
  accepted(await core.listChains());
  accepted(await core.listTicketKeys(owned));
  accepted(await core.listPolicies(owned));
  accepted(await core.listAuthTokens(owned));
  accepted(await core.listMembers(owned));
  accepted(await core.listBudgets(owned));
  accepted(await core.getOverview(owned));
  const { accountId, paymasterId } = owned;
  const object = paymasterId;
  for (const filter of [
    {},
    { who: 'auth-token' },
    { operation: 'setPolicy' },
    { object },
    { who: 'auth-token', object },
  ]) {
    accepted(await core.listAuditLog({ accountId, filter }));
  }
  accepted(await core.listOpenHolds({ chainId }));
  accepted(await core.listOpenHolds({ chainId, sender, afterHoldId: 1 }));
  accepted(await core.checkLedger({ allRows: false }));
  accepted(await core.readLedgerStates());
  accepted(await core.readMetrics());
  await core.status();
  await (await fetch(`${adminUrl}/metrics`)).text();
}
