import { type Address, http, parseUnits } from 'viem';
import { createBundlerClient, entryPoint07Address } from 'viem/account-abstraction';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { sponsorOrPay, TokenPaymentTooHighError } from '../../clients/sdk/tokens/sponsor-or-pay.ts';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fundWithTokens,
  incrementsOf,
  mint,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
  tokenBalance,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';

// The first three are free, then the user pays: one policy, and one call that follows it.

let lab: ClientLab;
let usdc: DevnetToken;
let other: DevnetToken;
let thenUsdc: Policy;
beforeAll(async () => {
  lab = await openClientLab({ handle: 'grpc' });
  usdc = tokenWith(lab.devnet, 6);
  other = tokenWith(lab.devnet, 18);
  thenUsdc = {
    ...defaultPolicy,
    limits: [{ per: 'sender', window: 'ever', unit: 'operations', max: 3n }],
    tokens: { enabled: true, allowed: [usdc.address] },
    thenPayInToken: true,
  };
});
afterAll(() => lab?.close());
beforeEach(() => setPolicy(thenUsdc));

async function setPolicy(policy: Policy) {
  accepted(await lab.service.core.setPolicy({ ...(await owned()), policy }));
}

async function owned() {
  const { paymasterId } = lab.paymaster('0.7');
  const { accountId } = accepted(await lab.service.core.authenticate({ authToken: lab.authToken }));
  return { accountId, paymasterId };
}
const url = () => lab.paymaster('0.7').rpcUrl;
const increment = () => targetCall(lab.devnet, 'increment');
/** Nothing is free: the next operation of the caller is offered to be paid for. */
const nothingFree = (): Policy => ({ ...thenUsdc, limits: [{ ...thenUsdc.limits[0], max: 0n } as never] });

async function openUser() {
  const account = await simpleAccount(lab.devnet, '0.7');
  const client = createSponsorClient({ url: url() });
  const bundlerClient = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    pollingInterval: 20,
  });
  await mint(lab.devnet, usdc, account.address, parseUnits('100', usdc.decimals));
  const send = async (maximum: bigint) => {
    const payIn = { token: usdc.address, maximum };
    const sent = await sponsorOrPay(client, { bundlerClient, calls: [increment()], payIn });
    const { success } = await bundlerClient.waitForUserOperationReceipt({ hash: sent.hash });
    return { ...sent, success };
  };
  return { account, client, send, readTokens: () => tokenBalance(lab.devnet, usdc, account.address) };
}

/** An account on which the token can be taken at once, with an operation that is ready to be asked for. */
async function openPayer(): Promise<{ readonly account: SmartAccount; readonly sender: Address }> {
  const account = newSmartAccount('0.7');
  const { sender } = await nextOperation(lab.devnet, account, [increment()]);
  await fundWithTokens(lab.devnet, usdc, { owner: sender, spender: lab.paymaster('0.7').address });
  await fundWithTokens(lab.devnet, other, { owner: sender, spender: lab.paymaster('0.7').address });
  return { account, sender };
}

test('three are free, the fourth is paid in USDC, and the ledger agrees', async () => {
  const { account, send, client, readTokens } = await openUser();
  const before = await readTokens();
  for (let free = 1; free <= 3; free += 1) {
    expect(await send(0n)).toMatchObject({ paidBy: 'application', success: true });
  }
  expect(await readTokens()).toBe(before);
  expect(await client.getAllowance({ sender: account.address })).toMatchObject({ operationsLeft: 0 });

  const paid = await send(parseUnits('50', usdc.decimals));
  if (paid.paidBy === 'application') throw new Error('The fourth was free.');
  const spent = before - (await readTokens());
  expect(paid.success).toBe(true);
  expect(spent).toBeGreaterThan(0n);
  expect(spent).toBeLessThanOrEqual(paid.maximum);
  expect(await incrementsOf(lab.devnet, account.address)).toBe(4n);

  const settled = await vi.waitFor(
    async () => {
      const filter = { sender: account.address, outcome: 'signed' as const };
      const page = accepted(await lab.service.core.listDecisions({ ...(await owned()), filter, limit: 9 }));
      const states = page.decisions.map(({ mode, settlement }) => [mode, settlement?.state]);
      expect(states).toEqual([['ERC20', 'settled'], ...Array(3).fill(['SPONSORED', 'settled'])]);
      return page.decisions;
    },
    { timeout: 15_000 },
  );
  expect(settled[0]?.settlement?.tokenPayment).toEqual({ token: usdc.address, amount: spent });
  const reports = accepted(await lab.service.core.checkLedger({ allRows: true }));
  const report = reports.find(({ contract }) => contract === lab.paymaster('0.7').address);
  expect(report).toMatchObject({ state: 'compared', difference: 0n, faults: [], unexplainedCosts: 0n });
});

test('the context that the client’s paymaster was made with goes along, free and paid', async () => {
  await setPolicy({ ...thenUsdc, limits: [{ ...thenUsdc.limits[0], max: 1n } as never] });
  const asked: string[] = [];
  const client = createSponsorClient({
    url: url(),
    fetch: (to, init) => {
      asked.push(String(init.body));
      return fetch(to, init);
    },
  });
  const account = await simpleAccount(lab.devnet, '0.7');
  const bundlerClient = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymaster(client, { paymasterContext: { sponsorshipInfo: { webhookData: { user: 'u-1' } } } }),
    pollingInterval: 20,
  });
  await mint(lab.devnet, usdc, account.address, parseUnits('100', usdc.decimals));
  const payIn = { token: usdc.address, maximum: parseUnits('50', usdc.decimals) };
  for (const paidBy of ['application', 'user']) {
    const sent = await sponsorOrPay(client, { bundlerClient, calls: [increment()], payIn });
    expect(sent.paidBy).toBe(paidBy);
    await bundlerClient.waitForUserOperationReceipt({ hash: sent.hash });
  }
  const operations = asked.filter((body) => /pm_get(?:Paymaster|FeeQuote)/.test(body));
  expect(operations.length).toBeGreaterThan(4);
  expect(operations.filter((body) => !body.includes('"webhookData":{"user":"u-1"}'))).toEqual([]);
});

test('what would cost more than the user is to pay is neither signed nor sent', async () => {
  await setPolicy(nothingFree());
  const { account, send, readTokens } = await openUser();
  const before = await readTokens();
  await expect(send(1n)).rejects.toBeInstanceOf(TokenPaymentTooHighError);
  expect(await readTokens()).toBe(before);
  const filter = { sender: account.address, outcome: 'signed' as const };
  expect(accepted(await lab.service.core.listDecisions({ ...(await owned()), filter, limit: 1 })).decisions).toEqual(
    [],
  );
});

test('the refusal names the tokens and the way to ask, in the answer, the trace and an explanation', async () => {
  await setPolicy(nothingFree());
  const account = newSmartAccount('0.7');
  const operation = toRpcUserOperation(await nextOperation(lab.devnet, account, [increment()]));
  const request: [typeof operation, Free] = [operation, { mode: 'SPONSORED', sponsorshipInfo: known }];
  const offer = { address: usdc.address, symbol: usdc.symbol, decimals: 6 };
  const { data } = await refusedData('pm_sponsorUserOperation', request);
  expect(data).toMatchObject({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'POLICY_LIMIT',
    thenPayInToken: { ask: { method: 'pm_getFeeQuoteOrData', mode: 'ERC20' }, tokens: [offer] },
  });
  const entryPoint = [operation, entryPoint07Address, '0x7a69', { sponsorshipInfo: known, calculateGasLimits: true }];
  expect((await refusedData('pm_getPaymasterData', entryPoint)).data.thenPayInToken?.tokens).toEqual([offer]);

  const { core } = lab.service;
  const [decision] = accepted(await core.listDecisions({ ...(await owned()), filter: {}, limit: 1 })).decisions;
  expect(decision?.trace.at(-1)).toMatchObject({
    rule: 'limit-sender-ever-operations',
    verdict: 'refused',
    remedy: expect.stringContaining(`can pay in a token instead (${usdc.symbol})`),
  });
  const management = lab.service.managementOf(lab.authToken);
  const explained = await management.explainSponsorship({ apiKey: lab.paymaster('0.7').apiKey, params: request });
  expect(explained).toMatchObject({ outcome: 'refused', tokenOffers: [offer] });
});

test('without the field nothing is offered; a preview tells whom it would be offered', async () => {
  const { account } = await openPayer();
  const operation = await nextOperation(lab.devnet, account, [increment()]);
  expect((await askSponsorship(url(), operation)).result).toBeDefined();
  const { core } = lab.service;
  const preview = accepted(await core.previewPolicy({ ...(await owned()), policy: nothingFree(), last: 1 }));
  expect(preview.cutOff).toMatchObject([{ reason: 'LIMIT_EXCEEDED', offeredTokenPayment: true }]);
  const silent = { ...nothingFree(), thenPayInToken: false };
  const [cut] = accepted(await core.previewPolicy({ ...(await owned()), policy: silent, last: 1 })).cutOff;
  expect(cut).not.toHaveProperty('offeredTokenPayment');
  await setPolicy(silent);
  const next = await nextOperation(lab.devnet, account, [increment()], 1n);
  const request = [toRpcUserOperation(next), { mode: 'SPONSORED', sponsorshipInfo: known }];
  expect((await refusedData('pm_sponsorUserOperation', request)).data).not.toHaveProperty('thenPayInToken');
});

const known = { smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } };

type Free = { mode: 'SPONSORED'; sponsorshipInfo: typeof known };

async function refusedData(method: string, params: readonly unknown[]) {
  const answer = await fetch(url(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { error } = (await answer.json()) as { error: { data: { thenPayInToken?: { tokens: unknown } } } };
  return error;
}

test('who gets the offer cannot pay with another token, nor with one that no one takes', async () => {
  await setPolicy(nothingFree());
  const { account } = await openPayer();
  const operation = await nextOperation(lab.devnet, account, [increment()]);
  for (const token of [other.address, lab.devnet.target.address]) {
    expect(await askSponsorship(url(), operation, { token })).toMatchObject({ reason: 'TOKEN_NOT_SUPPORTED' });
  }
  expect((await askSponsorship(url(), operation, { token: usdc.address })).result).toBeDefined();
});

test('what is not whitelisted is not to be had for tokens either, with whatever stands next to it', async () => {
  await setPolicy(nothingFree());
  const { account } = await openPayer();
  const wish = { token: usdc.address };
  const paymaster = lab.paymaster('0.7').address;
  const forbidden = [
    [targetCall(lab.devnet, 'fail')],
    [approveCall(usdc, paymaster, 1n), targetCall(lab.devnet, 'fail')],
    [increment(), { to: usdc.address, data: '0x' } as const],
    // An approval of someone else is not how this paymaster is paid.
    [approveCall(usdc, lab.devnet.target.address, 1n), increment()],
    [{ ...approveCall(other, paymaster, 1n) }, increment()],
  ];
  for (const calls of forbidden) {
    const operation = await nextOperation(lab.devnet, account, calls);
    const reason = expect.stringMatching(/^(METHOD_NOT_WHITELISTED|CONTRACT_NOT_REGISTERED)$/);
    expect(await askSponsorship(url(), operation, wish)).toMatchObject({ reason });
    expect(await askQuotes(url(), operation, wish)).toMatchObject({ reason });
    const open = [toRpcUserOperation(operation), { sponsorshipInfo: known, tokenInfo: { tokenList: [] } }];
    expect(await askRpc(url(), 'pm_getFeeQuoteOrData', open)).toMatchObject({ reason });
  }
  const allowed = await nextOperation(lab.devnet, account, [approveCall(usdc, paymaster, 10n ** 18n), increment()]);
  expect((await askSponsorship(url(), allowed, wish)).result).toBeDefined();
  // Without the field, a user who pays may call anything.
  await setPolicy({ ...nothingFree(), thenPayInToken: false });
  const operation = await nextOperation(lab.devnet, account, forbidden[3] ?? []);
  expect((await askQuotes(url(), operation, wish)).result).toBeDefined();
});

test('an account of unknown code says nothing of its calls, and is not to be paid for', async () => {
  await setPolicy(nothingFree());
  const { account, send } = await openUser();
  await setPolicy(thenUsdc);
  await send(0n);
  await setPolicy(nothingFree());
  const code = await lab.devnet.client.getCode({ address: account.address });
  await lab.devnet.client.setCode({ address: account.address, bytecode: `${code ?? '0x'}00` });
  await expect(send(10n ** 8n)).rejects.toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN' });
});

test('many at once at the limit: no more than three are free, and each of the others is offered', async () => {
  const { account } = await openPayer();
  const operations = await Promise.all(
    Array.from({ length: Number(process.env.RACE_REQUESTS ?? 20) }, (_, index) =>
      nextOperation(lab.devnet, account, [increment()], BigInt(index + 1)),
    ),
  );
  const context = { mode: 'SPONSORED', sponsorshipInfo: known };
  const answers = await Promise.all(
    operations.map((operation) => refusedData('pm_sponsorUserOperation', [toRpcUserOperation(operation), context])),
  );
  expect(answers.filter((error) => error === undefined)).toHaveLength(3);
  const refused = answers.filter((error) => error !== undefined);
  expect(refused.filter(({ data }) => data.thenPayInToken === undefined)).toEqual([]);
});
