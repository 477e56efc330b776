import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { TollfreeApiError } from '../../clients/sdk/errors/errors.ts';
import type { PmGetFeeQuoteOrDataParams } from '../../contract/rpc/pm-get-fee-quote-or-data.ts';
import type { ExplainSponsorshipRequest } from '../../contract/sponsorship.ts';
import { devPaymasterVersions } from '../../server/dev/dev-core-config.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  fillTank,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { callRpc, type Rpc, resultOf, smartAccountInfo } from '../support/interface/rpc-calls.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { looseGivenLimitsCheck } from '../support/service/any-clock.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.7';
/** How long the ledger may need to follow the chain on a busy machine. */
const patience = { timeout: 15_000 };
const unknownId = '00000000-0000-4000-8000-000000000000';
const context = {
  mode: 'SPONSORED',
  calculateGasLimits: false,
  sponsorshipInfo: { webhookData: {}, smartAccountInfo },
} as const;

describe.each(rowsOfRun(['grpc', 'local'] as const, 1))('what was decided, on the surface, core %s', (handle) => {
  let service: RunningService;
  let client: ManagementClient;
  let authToken: string;
  let apiKey: string;
  let refused: string;
  let landed: string;

  beforeAll(async () => {
    service = await startService({ handle, configure: looseGivenLimitsCheck });
    const { devnet } = service;
    ({ authToken } = await service.issueAccount());
    const account = createManagementClient({ baseUrl: service.url, authToken });
    const registration = { name: 'shop', chainId: devnet.chainId, version: devPaymasterVersions[version] };
    const paymaster = await account.createPaymaster(registration);
    apiKey = paymaster.apiKey;
    client = createManagementClient({ baseUrl: service.url, authToken, apiKey });
    await client.registerSmartContract({
      name: 'target',
      address: devnet.target.address,
      abi: JSON.stringify(devnet.target.abi),
      whitelistedMethods: ['increment'],
    });
    const wallet = await walletWith(devnet, 0n);
    const { fundingMessage } = await client.createFundingMessage({ paymasterId: paymaster.paymasterId });
    const signature = await wallet.signMessage({ message: fundingMessage });
    await client.setFundingWallet({ paymasterId: paymaster.paymasterId, signature, address: wallet.address });
    await fillTank(devnet, version, wallet, parseEther('5'));
    await vi.waitFor(async () => expect(BigInt((await client.readGasTank()).available)).toBeGreaterThan(0n), patience);
  });
  afterAll(() => service.close());

  async function newOperation(method: 'increment' | 'pay' | 'fail') {
    const account = newSmartAccount(version);
    const plain = await nextOperation(service.devnet, account, [targetCall(service.devnet, method)]);
    const operation = { ...plain, ...plainLimits('undeployed') };
    const params = [toRpcUserOperation(operation), context] as unknown as PmGetFeeQuoteOrDataParams;
    return { account, operation, params };
  }

  test('a refusal is there, with its rules and a remedy, as soon as it is answered', async () => {
    const { params } = await newOperation('fail');
    const { error } = (await callRpc(service.rpcUrl(apiKey), params)).json as Rpc;
    refused = error?.data?.decisionId ?? '';
    const decision = await client.getDecision({ decisionId: refused });
    expect(decision).toMatchObject({
      decisionId: refused,
      method: 'pm_getFeeQuoteOrData',
      chainId: service.devnet.chainId,
      outcome: 'refused',
      reason: 'METHOD_NOT_WHITELISTED',
      message: error?.message,
      facts: { calls: [{ target: service.devnet.target.address }] },
    });
    expect(decision).not.toHaveProperty('settlement');
    // A view method: its contract cannot whitelist it.
    const remedy = expect.stringMatching(/cannot be sponsored\. .* Leave the call out of the operation\.$/);
    expect(decision.trace.at(-1)).toMatchObject({ verdict: 'refused', remedy });
    expect(decision.trace.at(-1)).not.toHaveProperty('fix');
    expect(error?.data).toMatchObject({ method: 'fail()', mutability: 'view' });
    expect(decision.trace.slice(0, -1).every(({ verdict }) => verdict === 'passed')).toBe(true);
  });

  test('a refusal of a method that can be whitelisted says so', async () => {
    const { params } = await newOperation('pay');
    const { trace, facts } = await client.explainSponsorship({ params });
    const { target, selector } = facts?.calls[0] ?? {};
    const fix = { action: 'whitelist-method', target, selector };
    const remedy = expect.stringMatching(/^Add the method to the sponsored methods of 0x/);
    expect(trace.at(-1)).toMatchObject({ verdict: 'refused', remedy, fix });
  });

  test('a signature is there with what is held, and once it has landed with what it cost', async () => {
    const { account, operation } = await newOperation('increment');
    const answered = await askSponsorship(service.rpcUrl(apiKey), operation, { calculateGasLimits: false });
    const answer = signedAnswer(answered);
    landed = String((answered.result as { decisionId?: unknown }).decisionId);
    const open = await client.getDecision({ decisionId: landed });
    expect(open).toMatchObject({ outcome: 'signed', settlement: { state: 'live' } });
    expect(open.settlement).not.toHaveProperty('charge');
    expect(BigInt(open.settlement?.held ?? 0)).toBe(BigInt((await client.readGasTank()).held));

    const { actualGasCost } = await land(service.devnet, account, withAnswer(operation, answer));
    await vi.waitFor(async () => {
      const { settlement } = await client.getDecision({ decisionId: landed });
      expect(settlement).toMatchObject({
        state: 'settled',
        charge: String(actualGasCost),
        success: true,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
    }, patience);
  });

  test('the list and the usage have both', async () => {
    const { decisions } = await client.listDecisions();
    expect(decisions.map(({ decisionId }) => decisionId)).toEqual([landed, refused]);
    const first = await client.listDecisions({ limit: 1 });
    expect(first.decisions).toEqual(decisions.slice(0, 1));
    expect((await client.listDecisions({ limit: 1, cursor: first.nextCursor })).decisions).toEqual(decisions.slice(1));
    const only = await client.listDecisions({ outcome: 'refused', reason: 'METHOD_NOT_WHITELISTED' });
    expect(only.decisions.map(({ decisionId }) => decisionId)).toEqual([refused]);

    const { settled } = await client.readGasTank();
    const outcomes = await client.getUsage({ by: 'outcome' });
    expect(outcomes.map(({ key, landed: count, charge }) => [key, count, charge])).toEqual([
      ['signed', 1, settled],
      ['refused', 0, '0'],
    ]);
    const [contract] = await client.getUsage({ by: 'contract' });
    expect(contract).toMatchObject({
      key: service.devnet.target.address,
      decisions: { signed: 1, refused: 1, quoted: 0, stub: 0 },
      charge: settled,
    });
  });

  test('has the request as it was asked, with which the same can be asked again', async () => {
    for (const [decisionId, reason] of [
      [refused, 'METHOD_NOT_WHITELISTED'],
      [landed, undefined],
    ] as const) {
      const { request, sender } = await client.getDecision({ decisionId });
      expect(request?.params).toMatchObject([{ sender }, { mode: 'SPONSORED', calculateGasLimits: false }]);
      const { method, params } = request as ExplainSponsorshipRequest;
      const again = await client.explainSponsorship({ method, params } as ExplainSponsorshipRequest);
      // The nonce of what has landed is used.
      if (reason !== undefined) expect(again).toMatchObject({ outcome: 'refused', reason });
      expect(again.sender).toBe(sender);
    }
    const { decisions } = await client.listDecisions();
    for (const decision of decisions) expect(decision).not.toHaveProperty('request');
  });

  test('keeps no ticket and no data for webhooks of a request', async () => {
    const { params } = await newOperation('increment');
    const sponsorshipInfo = { ...context.sponsorshipInfo, webhookData: { card: 'number-of-a-card' } };
    const secret = { ...context, ticket: 'ticket.of.auser', sponsorshipInfo };
    const sent = [params[0], secret] as unknown as PmGetFeeQuoteOrDataParams;
    const { error, result } = (await callRpc(service.rpcUrl(apiKey), sent)).json as Rpc;
    const decisionId = error?.data?.decisionId ?? String((result as { decisionId?: unknown }).decisionId);
    const text = JSON.stringify(await client.getDecision({ decisionId }));
    expect(text).toContain('redacted');
    expect(text).not.toContain('ticket.of.auser');
    expect(text).not.toContain('number-of-a-card');
  });

  test('an explanation says what a request would get, holds nothing and is not recorded', async () => {
    const before = [await client.readGasTank(), await client.listDecisions()];
    const good = await client.explainSponsorship({ params: (await newOperation('increment')).params });
    expect(good).toMatchObject({ outcome: 'signed', mode: 'SPONSORED', method: 'pm_getFeeQuoteOrData' });
    const { params } = await newOperation('fail');
    const [operation] = params;
    const chain = `0x${service.devnet.chainId.toString(16)}` as const;
    const entryPoint = service.devnet.entryPoints[version];
    const requests: ExplainSponsorshipRequest[] = [
      { params },
      { method: 'pm_sponsorUserOperation', params: [operation, context] },
      { method: 'pm_getPaymasterStubData', params: [operation, entryPoint, chain, context] },
      { method: 'pm_getPaymasterData', params: [operation, entryPoint, chain, context], askWebhooks: true },
    ];
    for (const request of requests) {
      const explanation = await client.explainSponsorship(request);
      expect(explanation).toMatchObject({
        method: request.method ?? 'pm_getFeeQuoteOrData',
        outcome: 'refused',
        reason: 'METHOD_NOT_WHITELISTED',
      });
      expect(explanation.trace.at(-1)?.verdict).toBe('refused');
    }
    expect([await client.readGasTank(), await client.listDecisions()]).toEqual(before);
  });

  test('another account finds a foreign decision as little as one that never was', async () => {
    const stranger = await service.issueAccount();
    const theirs = createManagementClient({ baseUrl: service.url, authToken: stranger.authToken });
    const own = await theirs.createPaymaster({
      name: 'their shop',
      chainId: service.devnet.chainId,
      version: devPaymasterVersions[version],
    });
    const answers = [];
    for (const decisionId of [landed, refused, unknownId]) {
      const error = await theirs.getDecision({ apiKey: own.apiKey, decisionId }).catch((cause: unknown) => cause);
      answers.push(error instanceof TollfreeApiError ? [error.status, error.message] : error);
    }
    expect(answers).toEqual(Array.from({ length: 3 }, () => [404, 'Decision not found']));
    expect(await theirs.listDecisions({ apiKey: own.apiKey })).toEqual({ decisions: [] });
    expect(await theirs.getUsage({ apiKey: own.apiKey, by: 'outcome' })).toEqual([]);
  });

  test('the operation that was explained as signed is signed when it is asked for', async () => {
    const { params } = await newOperation('increment');
    const { facts } = await client.explainSponsorship({ params });
    const result = resultOf(await callRpc(service.rpcUrl(apiKey), params));
    const { settlement } = await client.getDecision({ decisionId: String(result.decisionId) });
    expect(settlement?.held).toBe(facts?.worstCase);
  });
});
