import { describe, expect, test } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import type { TraceStep } from '../../core/domain/decision.ts';
import { accept } from '../../core/domain/result/result.ts';
import { apiKey, chainId, decision, explanation, paymaster, refusal, usageRow } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const owned = { accountId: 'account', paymasterId: paymaster.paymasterId };
const sender = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const explained = {
  ...explanation,
  trace: explanation.trace.map(shownStep),
  method: 'pm_getPaymasterData',
  nonce: String(2n ** 255n),
  facts: {
    calls: [{ target: sender, selector: '0xa9059cbb' }],
    deploysOnly: false,
    maxFeePerGas: '1000000000',
    gas: '321000',
    worstCase: '100000000000000000000',
    usdMicrosPerCoin: '2000000000',
  },
};
/** Its amounts are decimal text too. */
function shownStep({ fix, ...step }: TraceStep) {
  return fix === undefined ? step : { ...step, fix: { ...fix, neededWei: String(fix.neededWei) } };
}
const shown = {
  ...explained,
  settlement: {
    ...decision.settlement,
    held: '100000000000000000000',
    charge: '10000000000000000000',
    tokenPayment: { token: sender, amount: String(10n ** 30n) },
  },
  request: { method: 'pm_getPaymasterData', params: [{ nonce: '0x1' }] },
};

/** A gateway whose core remembers the input of one operation. */
async function remembering<Name extends 'listDecisions' | 'getDecision' | 'explainSponsorship' | 'getUsage'>(
  name: Name,
  value: unknown,
) {
  const inputs: unknown[] = [];
  const core = {
    [name]: async (input: unknown) => {
      inputs.push(input);
      return accept(value);
    },
  } as Partial<Core>;
  const { url } = await startTestGateway({ core });
  const ask = (method: string, path: string, json?: unknown) =>
    send(`${url}${prefix}${path}`, method, { headers: bothHeaders, json });
  return { ask, inputs };
}

const { chargeUsdMicros: _, ...usageInWei } = usageRow;
const shownUsage = { ...usageInWei, charge: '100000000000000000000', usersPaid: '5', chargeUsd: '1234.50', held: '7' };

describe('success', () => {
  test.each([
    ['GET', '/decision', undefined, 'Decision list fetched', { decisions: [shown], nextCursor: '41' }],
    ['GET', `/decision/${decision.decisionId}`, undefined, 'Decision fetched', shown],
    ['POST', '/sponsorship/explain', { params: [{}, {}] }, 'Sponsorship explained', explained],
    ['GET', '/usage?by=day', undefined, 'Usage fetched', [shownUsage]],
  ])('%s %s answers its envelope, amounts as decimal text', async (method, path, json, message, data) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}${path}`, method, { headers: bothHeaders, json });
    expect([answer.status, answer.body]).toStrictEqual([200, { statusCode: 200, message, data }]);
  });

  test('the whole filter of a list reaches the core', async () => {
    const { ask, inputs } = await remembering('listDecisions', { decisions: [] });
    const query = `cursor=9&limit=200&outcome=refused&reason=NO_POLICIES&sender=${sender}&mode=ERC20&from=5&until=6`;
    const answer = await ask('GET', `/decision?${query}`);
    expect(answer.body).toStrictEqual({
      statusCode: 200,
      message: 'Decision list fetched',
      data: { decisions: [] },
    });
    await ask('GET', '/decision');
    const filter = { outcome: 'refused', reason: 'NO_POLICIES', sender, mode: 'ERC20', from: 5, until: 6 };
    expect(inputs).toStrictEqual([
      { ...owned, filter, cursor: '9', limit: 200 },
      { ...owned, filter: {} },
    ]);
  });

  test('the days of usage reach the core', async () => {
    const { ask, inputs } = await remembering('getUsage', []);
    await ask('GET', '/usage?by=method&from=2027-01-01&until=2027-01-31');
    await ask('GET', '/usage?by=outcome');
    expect(inputs).toStrictEqual([
      { ...owned, by: 'method', from: '2027-01-01', until: '2027-01-31' },
      { ...owned, by: 'outcome' },
    ]);
  });
});

describe('what is to be explained reaches the core as the RPC endpoint would hand it on', () => {
  const operation = { sender, nonce: 7, callData: '0x' };
  const userOperation = { sender, nonce: '7', callData: '0x' };
  const byEntryPoint = [operation, '0xEntryPoint', `0x${chainId.toString(16)}`, { token: sender }, 'ignored'];
  const entryPoint = '0xEntryPoint';
  const tokenMode = { mode: 'ERC20', tokenInfo: { feeTokenAddress: sender }, sponsorshipInfoGiven: false };

  test.each([
    [
      { params: [operation, { sponsorshipInfo: { webhookData: { a: 1 } } }] },
      {
        method: 'getFeeQuoteOrData',
        userOperation,
        context: { sponsorshipInfoGiven: true, webhookDataJson: '{"a":1}' },
        askWebhooks: false,
      },
    ],
    [
      { method: 'pm_sponsorUserOperation', params: [operation, { mode: 'SPONSORED' }], askWebhooks: true },
      {
        method: 'sponsorUserOperation',
        userOperation,
        context: { mode: 'SPONSORED', sponsorshipInfoGiven: false },
        askWebhooks: true,
      },
    ],
    [
      { method: 'pm_getPaymasterData', params: byEntryPoint },
      { method: 'getPaymasterData', userOperation, context: tokenMode, entryPoint, askWebhooks: false },
    ],
    [
      { method: 'pm_getPaymasterStubData', params: byEntryPoint },
      { method: 'getPaymasterStubData', userOperation, context: tokenMode, entryPoint, askWebhooks: false },
    ],
  ])('%o', async (json, expected) => {
    const { ask, inputs } = await remembering('explainSponsorship', explanation);
    expect((await ask('POST', '/sponsorship/explain', json)).status).toBe(200);
    expect(inputs).toStrictEqual([{ ...owned, ...expected }]);
  });

  test('up to the size and depth that the RPC endpoint takes', async () => {
    const { url } = await startTestGateway({ limits: { managementBodyBytes: 1_000, rpcBodyBytes: 4_000 } });
    const ask = (json: unknown) => send(`${url}${prefix}/sponsorship/explain`, 'POST', { headers: bothHeaders, json });
    expect((await ask({ params: [{ callData: `0x${'00'.repeat(1_000)}` }, {}] })).status).toBe(200);
    expect((await ask({ params: [{ callData: `0x${'00'.repeat(2_000)}` }, {}] })).status).toBe(413);
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    const answer = await ask({ params: [{}, { sponsorshipInfo: { webhookData: deep } }] });
    expect(answer.body).toStrictEqual({ statusCode: 400, message: 'Request body is nested too deeply' });
  });
});

describe('refusals', () => {
  test.each([
    ['GET', '/decision?limit=0', undefined, 'limit must be a whole number from 1 to 200'],
    ['GET', '/decision?limit=201', undefined, 'limit must be a whole number from 1 to 200'],
    ['GET', '/decision?cursor=x', undefined, 'cursor must be the nextCursor of an earlier answer'],
    ['GET', '/decision?outcome=maybe', undefined, 'outcome must be signed, quoted, stub or refused'],
    ['GET', '/decision?reason=no%20way', undefined, 'reason must be a reason of a refusal'],
    ['GET', '/decision?sender=0x12', undefined, 'sender must be a valid address'],
    ['GET', '/decision?mode=FREE', undefined, 'mode must be SPONSORED or ERC20'],
    ['GET', '/decision?from=today', undefined, 'from must be Unix seconds'],
    [
      'GET',
      '/usage',
      undefined,
      'by must be day, hour, sender, contract, method, relayedMethod, token, attribution, via, apiKey, cost, total or outcome',
    ],
    [
      'GET',
      '/usage?by=week',
      undefined,
      'by must be day, hour, sender, contract, method, relayedMethod, token, attribution, via, apiKey, cost, total or outcome',
    ],
    ['GET', '/usage?by=day&from=1', undefined, 'from must be a day like 2026-01-31'],
    ['POST', '/sponsorship/explain', {}, 'params must be an array'],
    ['POST', '/sponsorship/explain', [], 'Request body must be a JSON object'],
    ['POST', '/sponsorship/explain', { params: [{}, {}], askWebhooks: 1 }, 'askWebhooks must be a boolean value'],
    ['POST', '/sponsorship/explain', { params: [] }, 'params must be an array of a user operation and an object'],
    ['POST', '/sponsorship/explain', { params: [{ sender: 5 }, {}] }, 'params[0].sender must be a hex string'],
    [
      'POST',
      '/sponsorship/explain',
      { params: [{}, '0xEntryPoint', '0x1', {}], method: 'pm_getPaymasterData' },
      `This URL is for chain ${chainId}, but the request is for chain 1. Use the URL of a paymaster on that chain.`,
    ],
    [
      'POST',
      '/sponsorship/explain',
      { params: [], method: 'eth_call' },
      'method must be one of pm_getFeeQuoteOrData, pm_sponsorUserOperation, pm_getPaymasterStubData, pm_getPaymasterData',
    ],
  ])('%s %s %o', async (method, path, json, message) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}${path}`, method, { headers: bothHeaders, json });
    expect([answer.status, answer.body]).toStrictEqual([400, { statusCode: 400, message }]);
  });

  test('a decision that is not there is answered 404', async () => {
    const { url } = await startTestGateway({ core: { getDecision: async () => refusal('DECISION_NOT_FOUND') } });
    const answer = await send(`${url}${prefix}/decision/any`, 'GET', { headers: bothHeaders });
    expect([answer.status, answer.body]).toStrictEqual([404, { statusCode: 404, message: 'Decision not found' }]);
  });

  test.each([
    ['GET', '/decision'],
    ['GET', '/decision/any'],
    ['POST', '/sponsorship/explain'],
    ['GET', '/usage'],
  ])('%s %s without both headers is 401, whatever else is wrong', async (method, path) => {
    const { url } = await startTestGateway();
    const message = 'Auth token and API key is required in the headers';
    for (const headers of [
      {},
      { apiKey },
      { ...bothHeaders, apiKey: 'other' },
      { ...bothHeaders, authToken: 'tf_x' },
    ]) {
      const answer = await send(`${url}${prefix}${path}`, method, { headers, json: { params: 5 } });
      expect([answer.status, answer.body]).toStrictEqual([401, { statusCode: 401, message }]);
    }
  });
});
