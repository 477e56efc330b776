import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';
import { encodeFunctionData } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { ManagementClient } from '../../../clients/sdk/create-management-client.ts';
import type { ApiKeyRulesItem } from '../../../contract/api-key-rules.ts';
import type { PolicyRequest } from '../../../contract/policy.ts';
import type { RpcRefusalReason } from '../../../contract/rpc/refusals.ts';
import { newOperation, type Rpc, sponsored } from '../../support/interface/rpc-calls.ts';
import { type HttpAnswer, sendHttp } from '../../support/interface/send-http.ts';
import { openPaymaster } from '../../support/service/chain-paymaster.ts';
import { freshKey, type RunningService, startService } from '../../support/service/running-service.ts';
import { newTicketPaymaster, type TicketPaymaster } from '../../support/service/ticket-lab.ts';
import { provokedBySetup } from './provoke-by-setup.ts';

const seconds = () => Math.floor(Date.now() / 1_000);

type Asked = {
  readonly url?: string;
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the operation, instead of a good one's. */
  readonly fields?: object;
  readonly context?: object;
};

export type RefusalLab = {
  readonly service: RunningService;
  readonly paymaster: TicketPaymaster;
  /** Asks for a sponsorship that would be signed, with what is given instead. */
  ask(asked?: Asked): Promise<HttpAnswer>;
  /** Asks for a sponsorship under a policy, which is removed again. */
  askUnder(policy: PolicyRequest, asked?: Asked): Promise<HttpAnswer>;
  /** Asks for a sponsorship with a ticket that has these claims. */
  askWith(claims: JWTPayload): Promise<HttpAnswer>;
  keyWith(rules: Partial<ApiKeyRulesItem>): Promise<string>;
  newPaymaster(): Promise<{
    readonly paymasterId: string;
    readonly url: string;
    readonly management: ManagementClient;
  }>;
  close(): Promise<void>;
};

/** A service with one funded paymaster, whose ticket key signs tickets. */
export async function openRefusalLab(): Promise<RefusalLab> {
  const service = await startService({ trustedProxies: ['127.0.0.1'] });
  const paymaster = await newTicketPaymaster(service);
  const { client, rpcUrl } = paymaster;
  const [{ paymasterId = '' } = {}] = await client.listPaymasters();
  const ask = async ({
    url = rpcUrl,
    method = 'pm_getFeeQuoteOrData',
    params,
    headers,
    fields,
    context,
  }: Asked = {}) => {
    const operation = { ...(await newOperation(service.devnet, '0.7')), ...fields };
    const json = { jsonrpc: '2.0', id: 1, method, params: params ?? [operation, { ...sponsored, ...context }] };
    return sendHttp(url, { method: 'POST', json, ...(headers !== undefined && { headers }) });
  };
  const askUnder = async (policy: PolicyRequest, asked?: Asked) => {
    await client.setPolicy({ policy });
    try {
      return await ask(asked);
    } finally {
      await client.setPolicy({ policy: {} });
    }
  };
  return {
    service,
    paymaster,
    ask,
    askUnder,
    askWith: async (claims) => ask({ context: { ticket: await paymaster.ticket(claims) } }),
    keyWith: async (rules) => {
      const { apiKey } = await client.createApiKey({
        paymasterId,
        name: `for some ${Object.keys(rules).join()}`,
        rules,
      });
      return service.rpcUrl(apiKey);
    },
    newPaymaster: async () => {
      const opened = await openPaymaster(service, '0.7');
      return { paymasterId: opened.paymasterId, url: opened.rpcUrl, management: opened.management };
    },
    close: () => service.close(),
  };
}

const entryPoints = { method: 'pm_supportedEntryPoints', params: [] };

/** A webhook's answer to one request: a status and a body. */
async function askWithWebhook({ paymaster, ask }: RefusalLab, status: number, body: string): Promise<HttpAnswer> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { webhookId } = await paymaster.client.createWebhook({ webhookUrl, requestType: 'POST' });
  try {
    return await ask();
  } finally {
    await paymaster.client.deleteWebhook({ webhookId });
    server.close();
  }
}

type Provoke = (lab: RefusalLab) => Promise<HttpAnswer>;

/** A request for each reason, as an app could send it by mistake. */
export const provoked = {
  ...provokedBySetup,
  ACCOUNT_NOT_KNOWN: async ({ service, ask }) => {
    // Code that agrees to everything: it returns 32 zero bytes.
    const sender = privateKeyToAddress(freshKey());
    await service.devnet.client.setCode({ address: sender, bytecode: '0x60206000f3' });
    return ask({ fields: { sender, factory: undefined, factoryData: undefined } });
  },
  INVALID_PARAMS: ({ ask }) => ask({ fields: { maxFeePerGas: 'much' } }),
  UNAUTHORIZED: ({ service, ask }) => ask({ url: service.rpcUrl('abcdefghi.3f1c2b7e-5a0d-4c1e-9b52-0d6f7c8a9b10') }),
  KEY_DISABLED: async ({ service, paymaster, ask }) => {
    const [{ paymasterId = '' } = {}] = await paymaster.client.listPaymasters();
    const { apiKey, apiKeyId } = await paymaster.client.createApiKey({ paymasterId, name: 'disabled' });
    await paymaster.client.updateApiKey({ paymasterId, apiKeyId, disabled: true });
    return ask({ url: service.rpcUrl(apiKey), ...entryPoints });
  },
  ORIGIN_NOT_ALLOWED: async ({ keyWith, ask }) => {
    const url = await keyWith({ origins: ['https://app.example.com'] });
    return ask({ url, ...entryPoints, headers: { origin: 'https://other.example.com' } });
  },
  ADDRESS_NOT_ALLOWED: async ({ keyWith, ask }) =>
    ask({ url: await keyWith({ networks: ['203.0.113.0/24'] }), ...entryPoints }),
  RPC_METHOD_NOT_ALLOWED: async ({ keyWith, ask }) =>
    ask({ url: await keyWith({ methods: ['pm_getPaymasterData'] }), ...entryPoints }),
  RATE_LIMITED: async ({ keyWith, ask }) => {
    const url = await keyWith({ rate: { perSecond: 1, burst: 1 } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ url, ...entryPoints })));
    const refused = answers.find(({ json }) => (json as Rpc).error !== undefined);
    if (refused === undefined) throw new Error('None of eight requests at once was refused.');
    return refused;
  },
  ENTRY_POINT_NOT_SUPPORTED: ({ ask }) => ask({ fields: { initCode: `0x${'11'.repeat(20)}` } }),
  CHAIN_NOT_SUPPORTED: ({ service, paymaster, ask }) =>
    ask({ url: `${service.url}/api/v1/mainnet/${paymaster.apiKey}` }),
  PAYMASTER_PAUSED: async ({ newPaymaster, ask }) => {
    const { paymasterId, url, management } = await newPaymaster();
    await management.updatePaymaster({ paymasterId, paused: true });
    return ask({ url });
  },
  PAYMASTER_RETIRED: async ({ newPaymaster, ask }) => {
    const { paymasterId, url, management } = await newPaymaster();
    await management.retirePaymaster({ paymasterId, name: 'lab' });
    return ask({ url });
  },
  POLICY_NOT_ACCEPTED: ({ ask }) => ask({ context: { policyId: 'sp_of_another_service' } }),
  NO_POLICIES: async ({ service, newPaymaster, ask }) => {
    const { url, management } = await newPaymaster();
    const [{ apiKey = '' } = {}] = await management.listPaymasters();
    await management.deleteSmartContract({ apiKey, address: service.devnet.target.address });
    return ask({ url });
  },
  CONTRACT_NOT_REGISTERED: async ({ service, ask }) => {
    const { devnet } = service;
    return ask({ fields: await callDataOf(service, devnet.tokenRecipient, '0x12345678') });
  },
  METHOD_NOT_WHITELISTED: async ({ service, ask }) => {
    const { address, abi } = service.devnet.target;
    return ask({ fields: await callDataOf(service, address, encodeFunctionData({ abi, functionName: 'fail' })) });
  },
  ARGUMENT_NOT_ALLOWED: ({ service, askUnder }) => {
    const where = [{ argument: 'msg.value', is: '1' }];
    return askUnder({ callRules: [{ contract: service.devnet.target.address, method: 'increment', where }] });
  },
  CALL_NOT_UNDERSTOOD: ({ ask }) => ask({ fields: { callData: '0x12345678' } }),
  SENDER_BLOCKED: ({ askUnder }) => askUnder({ allowedSenders: [] }),
  LIMIT_EXCEEDED: ({ askUnder }) => askUnder({ limits: [{ per: 'SENDER', window: 'EVER', unit: 'WEI', max: '1' }] }),
  GAS_PRICE_TOO_HIGH: ({ askUnder }) => askUnder({ maxFeePerGas: '1' }),
  WEBHOOK_REFUSED: (lab) => askWithWebhook(lab, 200, '{"arePoliciesVerified":false,"reason":"Not a customer."}'),
  WEBHOOK_UNAVAILABLE: (lab) => askWithWebhook(lab, 500, ''),
  INSUFFICIENT_FUNDS: async ({ newPaymaster, ask }) => ask({ url: (await newPaymaster()).url }),
  ESTIMATION_FAILED: async ({ service, askUnder }) => {
    const { address, abi } = service.devnet.target;
    const fields = await callDataOf(service, address, encodeFunctionData({ abi, functionName: 'fail' }));
    return askUnder({ sponsorAllCalls: true }, { fields, context: { calculateGasLimits: true } });
  },
  USER_PAYS_SHARE: ({ askUnder }) => askUnder({ userPaysPercent: 30 }),
  TOKEN_NOT_SUPPORTED: ({ ask }) =>
    ask({ method: 'pm_sponsorUserOperation', context: inToken(`0x${'11'.repeat(20)}`) }),
  TOKEN_PAYMENT_FAILS: ({ service, ask }) =>
    ask({ method: 'pm_sponsorUserOperation', context: inToken(service.devnet.tokens[0]?.address ?? '') }),
  BUNDLER_NOT_OFFERED: ({ ask }) => ask({ method: 'eth_getUserOperationReceipt', params: [`0x${'11'.repeat(32)}`] }),
  TICKET_REQUIRED: ({ askUnder }) => askUnder({ requireTicket: true }),
  TICKET_MALFORMED: ({ ask }) => ask({ context: { ticket: 'not a ticket' } }),
  TICKET_ALGORITHM_NOT_ALLOWED: async ({ ask }) => {
    const ticket = await new SignJWT({ sub: 'alice' }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32));
    return ask({ context: { ticket } });
  },
  TICKET_KEY_NOT_KNOWN: async ({ service, ask }) =>
    ask({ context: { ticket: await (await newTicketPaymaster(service)).ticket() } }),
  TICKET_SIGNATURE_WRONG: async ({ paymaster, ask }) => {
    const [head, , signature] = (await paymaster.ticket()).split('.');
    const [, body] = (await paymaster.ticket({ sub: 'mallory' })).split('.');
    return ask({ context: { ticket: `${head}.${body}.${signature}` } });
  },
  TICKET_FOR_ANOTHER: ({ askWith }) => askWith({ aud: 'another service' }),
  TICKET_EXPIRED: ({ askWith }) => askWith({ exp: seconds() - 1 }),
  TICKET_NOT_YET_VALID: ({ askWith }) => askWith({ nbf: seconds() + 3_000 }),
  TICKET_LIVES_TOO_LONG: ({ askWith }) => askWith({ exp: seconds() + 10_000_000 }),
  TICKET_NOT_FOR_OPERATION: ({ service, askWith }) => askWith({ sender: service.devnet.target.address }),
  TICKET_USED_UP: async ({ paymaster, ask }) => {
    const ticket = await paymaster.ticket({ jti: 'once', uses: 1 });
    await ask({ context: { ticket } });
    return ask({ context: { ticket } });
  },
} as const satisfies Partial<Record<RpcRefusalReason, Provoke>>;

function inToken(feeTokenAddress: string): object {
  return { mode: 'ERC20', tokenInfo: { feeTokenAddress } };
}

/** The `callData` of an account that makes one call. */
async function callDataOf({ devnet }: RunningService, to: `0x${string}`, data: `0x${string}`): Promise<object> {
  const { callData } = await newOperation(devnet, '0.7', [{ to, data }]);
  return { callData };
}
