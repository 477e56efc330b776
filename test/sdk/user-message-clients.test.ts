import { JsonRpcProvider } from 'ethers-6';
import { createSmartAccountClient } from 'permissionless';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { createPublicClient, encodeErrorResult, http, parseAbi } from 'viem';
import {
  createBundlerClient,
  createPaymasterClient,
  entryPoint07Abi,
  entryPoint07Address,
  toSmartAccount,
} from 'viem/account-abstraction';
import { foundry as chain } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CreateConnectorFn, createConfig, createConnector } from 'wagmi';
import { connect, sendCalls } from 'wagmi/actions';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { userMessage } from '../../clients/sdk/errors/user-message.ts';
import { type RpcRefusalReason, rpcRefusals } from '../../contract/rpc/refusals.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import { executionReverted } from '../../core/gas/failures/decode-failure.ts';
import { ruleOnBudget } from '../../core/policies/rule-on-budget.ts';
import { ruleOnCost } from '../../core/policies/rules/rule-on-cost.ts';
import { ruleOnLimit } from '../../core/policies/rules/rule-on-limit.ts';
import { ruleOnPause, ruleOnPeriod } from '../../core/policies/rules/rule-on-time.ts';
import { toResult } from '../../core/webhooks/webhook-outcome.ts';
import { refusalResponse } from '../../gateway/rpc/rpc-response.ts';
import { type RpcServer, respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';

const sender = `0x${'51'.repeat(20)}` as const;
const target = `0x${'ab'.repeat(20)}` as const;
const abi = parseAbi(['function refund()', 'error SoldOut(uint256 left)']);
const call = { to: target, abi, functionName: 'refund' } as const;

const notFree = '“refund” is not free of charge here.';
const unavailable = 'The service that pays for transactions cannot be reached right now. Try again shortly.';
const ofDevelopers = 'This transaction cannot be paid for right now. Nothing was sent.';
const signInAgain = 'Sign in again to go on with free transactions.';

/** What a page's user reads of each refusal that has no further facts. */
const sentences: Readonly<Record<Exclude<RpcRefusalReason, 'LIMIT_EXCEEDED'>, string>> = {
  INVALID_PARAMS: ofDevelopers,
  INTERNAL: unavailable,
  UNAUTHORIZED: ofDevelopers,
  PAYMASTER_PAUSED: 'Free transactions are paused right now.',
  PAYMASTER_RETIRED: 'Free transactions are no longer offered here.',
  KEY_DISABLED: 'Free transactions are switched off here.',
  ORIGIN_NOT_ALLOWED: 'This page may not use free transactions.',
  ADDRESS_NOT_ALLOWED: 'Free transactions are not offered from your network.',
  RPC_METHOD_NOT_ALLOWED: ofDevelopers,
  ENTRY_POINT_NOT_SUPPORTED: ofDevelopers,
  CHAIN_NOT_SUPPORTED: ofDevelopers,
  POLICY_NOT_ACCEPTED: ofDevelopers,
  NO_POLICIES: notFree,
  CONTRACT_NOT_REGISTERED: notFree,
  METHOD_NOT_WHITELISTED: notFree,
  ARGUMENT_NOT_ALLOWED: notFree,
  CALL_NOT_UNDERSTOOD: notFree,
  ACCOUNT_NOT_KNOWN: 'Transactions of this kind of account are not paid for here.',
  SENDER_BLOCKED: 'Transactions of this account are not paid for here.',
  BUDGET_NOT_COUNTED: unavailable,
  GAS_PRICE_TOO_HIGH: 'The network is too busy right now. Try again later.',
  WEBHOOK_REFUSED: notFree,
  WEBHOOK_UNAVAILABLE: unavailable,
  INSUFFICIENT_FUNDS: 'Free transactions have run out here. Try again later.',
  RATE_LIMITED: 'There are too many requests right now. Try again shortly.',
  ESTIMATION_FAILED: 'This transaction would fail. Check what you entered and that you own what you want to send.',
  USER_PAYS_SHARE: 'You pay part of this transaction’s fee.',
  RELAY_REQUIRED: ofDevelopers,
  RELAY_NOT_ALLOWED: ofDevelopers,
  TOKEN_NOT_SUPPORTED: 'You cannot pay with this token here. Choose another one.',
  TOKEN_PAYMENT_FAILS: 'The fee could not be taken from your tokens. Check that you own enough of them.',
  PRICE_UNAVAILABLE: unavailable,
  CHAIN_UNAVAILABLE: unavailable,
  SIGNER_UNAVAILABLE: unavailable,
  STORE_UNAVAILABLE: unavailable,
  BUNDLER_NOT_OFFERED: ofDevelopers,
  OPERATION_NOT_SIGNED: ofDevelopers,
  OPERATION_PENDING: 'Your last transaction is still open. Try again when it has gone through.',
  BUNDLER_REFUSED: ofDevelopers,
  BUNDLER_UNAVAILABLE: unavailable,
  TICKET_REQUIRED: 'Sign in to use free transactions.',
  TICKET_MALFORMED: signInAgain,
  TICKET_ALGORITHM_NOT_ALLOWED: signInAgain,
  TICKET_KEY_NOT_KNOWN: signInAgain,
  TICKET_SIGNATURE_WRONG: signInAgain,
  TICKET_FOR_ANOTHER: signInAgain,
  TICKET_EXPIRED: signInAgain,
  TICKET_NOT_YET_VALID: signInAgain,
  TICKET_LIVES_TOO_LONG: signInAgain,
  TICKET_NOT_FOR_OPERATION: signInAgain,
  TICKET_USED_UP: 'Your free transactions are used up.',
  TICKET_KEYS_UNAVAILABLE: unavailable,
};

/** Noon of 2 January 2029, a Tuesday: in every time zone it is that day. */
const noon = Date.UTC(2029, 0, 2, 12) / 1_000;
const toDay = 86_400 - (noon % 86_400);
const limit = { per: 'sender', window: 'day', unit: 'operations', max: 3n } as const;
const refusalOf = (ruling: { readonly refusal?: Refusal | undefined }): Refusal => {
  if (ruling.refusal === undefined) throw new Error('Nothing was refused.');
  return ruling.refusal;
};
const refusedBy = (result: ReturnType<typeof toResult>) => (result.ok ? undefined : result.refusal);
const usedUp = (changes: object) =>
  refusalOf(
    ruleOnLimit({ limit: { ...limit, ...changes }, windowStart: noon - (86_400 - toDay), used: 3n, asked: 1n }),
  );
const operatorCap = (name: string): Refusal => ({
  reason: 'LIMIT_EXCEEDED',
  limitKind: 'OPERATOR_CAP',
  message: 'no',
  details: { limit: name },
});
const soldOut = executionReverted(encodeErrorResult({ abi, errorName: 'SoldOut', args: [0n] }));

/** Refusals with facts that decide the sentence, as the rules of the service make them. Times are left out. */
const withFacts: readonly (readonly [title: string, refusal: Refusal, sentence: string])[] = [
  ['a limit of the sender', usedUp({}), 'Your free transactions are used up for now. Try again after Jan 3, 2029, ….'],
  ['a limit for ever', usedUp({ window: 'ever' }), 'Your free transactions are used up for now.'],
  [
    'a limit of all together',
    usedUp({ per: 'total' }),
    'Free transactions are used up for everyone right now. Try again after Jan 3, 2029, ….',
  ],
  [
    'a limit that the operation never fits',
    refusalOf(ruleOnLimit({ limit, windowStart: noon, used: 0n, asked: 4n })),
    'This transaction costs more than is paid for here.',
  ],
  [
    'a cap on one operation',
    refusalOf(ruleOnCost({ ...defaultPolicy, maxCostWei: 1n }, { worstCase: 2n })),
    'This transaction costs more than is paid for here.',
  ],
  [
    'a pause',
    refusalOf(ruleOnPause({ ...defaultPolicy, pauses: [{ days: [2], from: 11 * 60, until: 13 * 60 }] }, noon)),
    'Free transactions are paused until Jan 2, 2029, ….',
  ],
  [
    'a start in 2029',
    refusalOf(ruleOnPeriod({ ...defaultPolicy, notBefore: noon }, 0)),
    'Free transactions begin on Jan 2, 2029, ….',
  ],
  ['an end', refusalOf(ruleOnPeriod({ ...defaultPolicy, notAfter: 1 }, noon)), 'Free transactions have ended here.'],
  [
    'a budget of the account',
    refusalOf(
      ruleOnBudget({ budget: { name: 'all', maxUsdMicros: 3n, window: 'ever' }, start: 0, used: 3n, asked: 1n }),
    ),
    'Free transactions are used up for everyone right now.',
  ],
  [
    'a cap of the operator on the gas',
    operatorCap('accounts.gas.KNOWN.call'),
    'This transaction costs more than is paid for here.',
  ],
  [
    'open operations',
    operatorCap('maxOpenHoldsPerSender'),
    'Too many free transactions are open right now. Try again shortly.',
  ],
  ['a custom error of the page’s contract', soldOut, 'This transaction would fail: “SoldOut”.'],
  [
    'a text of the contract',
    { reason: 'ESTIMATION_FAILED', message: 'no', details: { revert: 'Error("sold out")' } },
    'This transaction would fail: “sold out”.',
  ],
  [
    'an AA code',
    { reason: 'ESTIMATION_FAILED', message: 'no', details: { aaCode: 'AA23', revert: '0x12345678' } },
    'This transaction could not be prepared. Nothing was sent. Try again shortly.',
  ],
  [
    'a webhook that says why',
    refusalOf({
      refusal: refusedBy(toResult('hook', { kind: 'refused', reason: 'Only members trade for free.' })),
    }),
    'Only members trade for free.',
  ],
  [
    'an offer to pay in a token',
    { ...usedUp({ window: 'ever' }), tokenOffers: [{ address: target, symbol: 'USDC', decimals: 6 }] },
    'Your free transactions are used up for now. You can pay in USDC instead.',
  ],
];

const all = [
  ...Object.entries(sentences).map(([reason, sentence]) => {
    const details = sentence === notFree ? { target, selector: '0x590e1ae3' } : {};
    const refusal = { reason: reason as RpcRefusalReason, message: `No, says ${target}.`, details } as Refusal;
    return [reason, refusal, sentence] as const;
  }),
  ...withFacts,
];

let server: RpcServer;
let refusal: Refusal;
beforeAll(async () => {
  server = await startRpcServer((request, response) => {
    if (request.method === 'eth_chainId') return respondResult(response, request, `0x${chain.id.toString(16)}`);
    if (request.method === 'eth_getCode') return respondResult(response, request, '0x01');
    const { jsonText } = refusalResponse(request.id as number, refusal, 'request-1');
    // What a client that expects errors in the body gets. The SDK reads the other statuses as well.
    respond(response, jsonText);
  });
});
afterAll(() => server.close());

const transport = () => http(server.url, { retryCount: 0, timeout: 60_000 });
const node = () => createPublicClient({ chain, transport: transport() });
const account = () =>
  toSmartAccount({
    client: node(),
    entryPoint: { abi: entryPoint07Abi, address: entryPoint07Address, version: '0.7' },
    encodeCalls: async () => '0x12345678',
    getAddress: async () => sender,
    getFactoryArgs: async () => ({}),
    getNonce: async () => 0n,
    getStubSignature: async () => '0x00',
    signMessage: async () => '0x00',
    signTypedData: async () => '0x00',
    signUserOperation: async () => '0x00',
  });
const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };

/** An application's wallet (EIP-5792) that ends `wallet_sendCalls` with an error. */
function walletThat(fail: () => Promise<never>): CreateConnectorFn {
  const accounts = [sender] as const;
  const request = async ({ method }: { readonly method: string }): Promise<unknown> => {
    if (method === 'wallet_sendCalls') return fail();
    if (method === 'eth_chainId') return `0x${chain.id.toString(16)}`;
    return accounts;
  };
  return createConnector(() => ({
    id: 'wallet',
    name: 'Wallet',
    type: 'wallet',
    connect: async () => ({ accounts: accounts as never, chainId: chain.id }),
    disconnect: async () => undefined,
    getAccounts: async () => accounts,
    getChainId: async () => chain.id,
    getProvider: async () => ({ request }),
    isAuthorized: async () => true,
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => undefined,
  }));
}

async function sendByWagmi(fail: () => Promise<never>): Promise<unknown> {
  const config = createConfig({
    chains: [chain],
    connectors: [walletThat(fail)],
    transports: { [chain.id]: transport() },
  });
  const [connector] = config.connectors;
  if (connector === undefined) throw new Error('There is no wallet.');
  await connect(config, { connector });
  return sendCalls(config, { chainId: chain.id, calls: [{ to: target, data: '0x590e1ae3' }] });
}

async function sendByViem(): Promise<unknown> {
  const paymaster = createPaymasterClient({ transport: transport() });
  const bundlerClient = createBundlerClient({
    account: await account(),
    client: node(),
    transport: transport(),
    paymaster,
  });
  return bundlerClient.sendUserOperation({ calls: [call], ...fees });
}

/** Each sends an operation whose paymaster is the server. */
const clients: Readonly<Record<string, () => Promise<unknown>>> = {
  viem: sendByViem,
  permissionless: async () => {
    const of = await account();
    const client = createSmartAccountClient({
      account: of,
      client: node(),
      bundlerTransport: transport(),
      paymaster: createPimlicoClient({ chain, entryPoint: of.entryPoint, transport: transport() }),
    });
    return client.sendUserOperation({ calls: [call], ...fees });
  },
  'wagmi, with a wallet made of viem': () => sendByWagmi(async () => (await sendByViem()) as never),
  'wagmi, with a wallet that passes the error on': () =>
    sendByWagmi(() => {
      const { error } = JSON.parse(refusalResponse(1, refusal, 'request-1').jsonText);
      return Promise.reject(error);
    }),
  ethers: () => new JsonRpcProvider(server.url, chain.id, { staticNetwork: true }).send('pm_getPaymasterData', []),
  'the SDK': async () => {
    const paymaster = createPaymaster(createSponsorClient({ url: server.url }));
    const bundlerClient = createBundlerClient({
      account: await account(),
      client: node(),
      transport: transport(),
      paymaster,
    });
    return bundlerClient.sendUserOperation({ calls: [call], ...fees });
  },
};

describe.each(Object.keys(clients))('the sentence for the user of a page with %s', (name) => {
  test.each(all)('of %s', async (_, refused, sentence) => {
    refusal = refused;
    const error = await clients[name]?.().then(
      () => 'It was not refused.',
      (cause: unknown) => cause,
    );
    const said = userMessage(error, { abi });
    expect(said.replace(/ \d+:\d\d\s[AP]M/u, ' …')).toBe(sentence);
    expect(said).not.toMatch(/0x|secret-key|gas tank|paymaster|webhook|apiKey|policy/i);
  });
});

test('the table has every refusal', () => {
  expect([...Object.keys(sentences), 'LIMIT_EXCEEDED'].toSorted()).toEqual(Object.keys(rpcRefusals).toSorted());
});
