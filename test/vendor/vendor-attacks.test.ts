import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { forward, type RpcRequest, respond, respondError, respondResult } from '../support/servers/json-rpc-server.ts';
import type { LabPaymaster, OwnedPaymaster } from '../support/service/chain-paymaster.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, type Wish } from '../support/service/chain-sponsorship.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { type Behaviour, draft, emptyTank, openVendorLab, type VendorLab } from './vendor-lab.ts';

// A stranger answers for us, at the operator's cost: neither the stranger nor a caller may get more out of it than was allowed.

let lab: VendorLab;
beforeAll(async () => {
  lab = await openVendorLab();
});
afterEach(() => lab.behave(undefined));
afterAll(() => lab?.close());

const version = '0.7';
const asked = () => lab.vendor.requests.length;
const ask = async ({ rpcUrl }: LabPaymaster, wish: Wish = {}, operation?: DevUserOperation) =>
  askSponsorship(rpcUrl, operation ?? (await draft(lab.devnet, version)).operation, wish);
const outOfFunds = { reason: 'INSUFFICIENT_FUNDS', httpStatus: expect.any(Number) };

/** What one operation takes of a budget, in millionths of a USD. */
async function worthOfOne(service: RunningService): Promise<bigint> {
  const paymaster = await emptyTank(service, version);
  signedAnswer(await ask(paymaster));
  const { management, apiKey } = paymaster;
  const { vendor } = await management.readGasTankStatement({ apiKey });
  return BigInt(Math.round(Number(vendor?.worstCaseUsd) * 1e6));
}

async function withBudget<T>(
  operations: bigint,
  share: number,
  use: (service: RunningService) => Promise<T>,
): Promise<T> {
  // Operations differ by some bytes: half an operation more than the number.
  const usdMicrosPerDay = ((await worthOfOne(lab.service)) * (2n * operations + 1n)) / 2n;
  const budget = { usdMicrosPerDay, usdMicrosPerMonth: usdMicrosPerDay, maxSharePerClient: share };
  const service = await lab.again({ budget });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

describe('the budget', () => {
  test('holds for any number of requests at the same time', () =>
    withBudget(3n, 1, async (service) => {
      const paymaster = await emptyTank(service, version);
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask(paymaster)));
      expect(answers.filter(({ code }) => code === undefined)).toHaveLength(3);
      for (const answer of answers) if (answer.code !== undefined) expect(answer).toMatchObject(outOfFunds);
    }));

  test('gets back what a vendor that refuses was asked for', () =>
    withBudget(1n, 1, async (service) => {
      const paymaster = await emptyTank(service, version);
      lab.behave((request, response) => respondError(response, request, -32_000, 'no'));
      for (let times = 0; times < 3; times += 1) expect(await ask(paymaster)).toMatchObject(outOfFunds);
      lab.behave(undefined);
      signedAnswer(await ask(paymaster));
      expect(await ask(paymaster)).toMatchObject(outOfFunds);
    }));

  test('is not emptied by one client address, which may have emptied the tank too', () =>
    withBudget(4n, 0.5, async (service) => {
      const paymaster = await emptyTank(service, version);
      const robber = { client: '203.0.113.7' };
      let taken = 0;
      for (let times = 0; times < 6; times += 1) if ((await ask(paymaster, robber)).code === undefined) taken += 1;
      expect(taken).toBe(2);
      signedAnswer(await ask(paymaster, { client: '198.51.100.9' }));
    }));

  test('is taken once for requests about one nonce, however often they are sent', () =>
    withBudget(1n, 1, async (service) => {
      const paymaster = await emptyTank(service, version);
      const { operation } = await draft(lab.devnet, version);
      const first = signedAnswer(await ask(paymaster, {}, operation));
      const from = asked();
      expect(signedAnswer(await ask(paymaster, {}, operation))).toEqual(first);
      expect(asked()).toBe(from);
      const another = { ...operation, maxPriorityFeePerGas: operation.maxPriorityFeePerGas - 1n };
      signedAnswer(await ask(paymaster, {}, another));
    }));
});

describe('who is not sent to the vendor', () => {
  test.each([
    ['a call that the policy does not sponsor', 'METHOD_NOT_WHITELISTED'],
    ['a sender that is blocked', 'SENDER_BLOCKED'],
    ['a limit that is used up', 'LIMIT_EXCEEDED'],
  ])('%s', async (what, reason) => {
    const paymaster = await emptyTank(lab.service, version);
    const { management, apiKey } = paymaster;
    const { account, operation } = await draft(lab.devnet, version);
    if (reason === 'SENDER_BLOCKED') {
      await management.setPolicy({ apiKey, policy: { blockedSenders: [operation.sender] } });
    }
    if (reason === 'LIMIT_EXCEEDED') {
      const limits = [{ per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '1' }] as const;
      await management.setPolicy({ apiKey, policy: { limits: [...limits] } });
      signedAnswer(await ask(paymaster, {}, operation));
    }
    const from = asked();
    const refused =
      reason === 'LIMIT_EXCEEDED'
        ? { ...operation, nonce: operation.nonce + (1n << 64n) }
        : reason === 'METHOD_NOT_WHITELISTED'
          ? await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'fail')])
          : operation;
    expect(await ask(paymaster, {}, refused), what).toMatchObject({ reason });
    expect(asked()).toBe(from);
  });

  test('an account that the operator does not name', async () => {
    const service = await lab.again({ accounts: ['another-account'] });
    try {
      const from = asked();
      expect(await ask(await emptyTank(service, version))).toMatchObject(outOfFunds);
      expect(asked()).toBe(from);
    } finally {
      await service.close();
    }
  });
});

const secret = 'secret-of-the-vendor';
/** The mock's answer to the method, changed. */
const changing =
  (method: string, change: (result: Record<string, unknown>) => unknown): Behaviour =>
  async (request, response) => {
    if (request.method !== method) return respond(response, await lab.honest(request));
    const { result } = (await lab.honest(request)) as { result: Record<string, unknown> };
    respondResult(response, request, change(result));
  };
const data = 'pm_getPaymasterData';
const stub = 'pm_getPaymasterStubData';
const foreign = '0x00000000000000000000000000000000DeaDBeef';

const behaviours: readonly [string, () => Behaviour][] = [
  ['ends the connection', () => (_request, response) => void response.destroy()],
  ['answers 500 with a secret', () => (_request, response) => respond(response, secret, 500)],
  ['redirects', () => (_request, response) => void response.writeHead(307, { location: lab.vendor.url }).end()],
  ['refuses with a secret', () => (request, response) => respondError(response, request, -32_001, secret)],
  ['answers with what is not JSON', () => (_request, response) => respond(response, `${secret} {`)],
  ['answers with too many bytes', () => (_request, response) => respond(response, 'a'.repeat(200_000))],
  ['names a foreign contract', () => changing(data, (result) => ({ ...result, paymaster: foreign }))],
  ['names one in the stub', () => changing(stub, (result) => ({ ...result, paymaster: foreign }))],
  [
    'takes more gas than it may',
    () => changing(stub, (result) => ({ ...result, paymasterPostOpGasLimit: '0xffffff' })),
  ],
  ['takes it in the data', () => changing(data, (result) => ({ ...result, paymasterPostOpGasLimit: '0xffffff' }))],
  ['has endless data', () => changing(data, (result) => ({ ...result, paymasterData: `0x${'11'.repeat(2_000)}` }))],
  [
    'has longer data than its stub',
    () => changing(data, (result) => ({ ...result, paymasterData: `0x${'11'.repeat(900)}` })),
  ],
  ['has data that is no hex', () => changing(data, (result) => ({ ...result, paymasterData: '0x123' }))],
  ['answers in the form of 0.6', () => changing(data, () => ({ paymasterAndData: `${foreign}11` }))],
  ['answers null', () => changing(data, () => null)],
];

async function expectNotPassedOn(paymaster: OwnedPaymaster, behaviour: Behaviour): Promise<void> {
  lab.behave(behaviour);
  const from = asked();
  const answer = await ask(paymaster);
  expect(asked()).toBeGreaterThan(from);
  expect(answer).toMatchObject(outOfFunds);
  const { management, apiKey } = paymaster;
  const { decisions } = await management.listDecisions({ apiKey });
  expect(decisions[0]).toMatchObject({ outcome: 'refused', reason: 'INSUFFICIENT_FUNDS' });
  expect(decisions[0]?.trace.at(-1)).toMatchObject({ rule: 'vendor', verdict: 'refused' });
  const told = JSON.stringify([answer, decisions]);
  expect(told).not.toContain(secret);
  expect(told).not.toContain('secret-key');
  expect(await management.readGasTankStatement({ apiKey })).not.toHaveProperty('vendor');
}

describe('a vendor that', () => {
  let service: RunningService;
  let paymaster: OwnedPaymaster;
  let other: OwnedPaymaster;
  beforeAll(async () => {
    service = await lab.again({ timeoutMs: 10_000 });
    paymaster = await emptyTank(service, version);
    other = await emptyTank(service, version);
  });
  // After three failures in a row it would be left alone.
  beforeEach(async () => {
    signedAnswer(await ask(other));
  });
  afterAll(() => service?.close());

  test.each(behaviours)('%s is not passed on, and the caller hears what is wrong with our tank', (_, behaviour) =>
    expectNotPassedOn(paymaster, behaviour()),
  );
});

test('a vendor that is silent is not passed on, and the caller hears what is wrong with our tank', async () => {
  const service = await lab.again({ timeoutMs: 500 });
  try {
    await expectNotPassedOn(await emptyTank(service, version), () => undefined);
  } finally {
    await service.close();
  }
});

test('a stub that is signed already is given without its signature, since nothing was set aside for it', async () => {
  const paymaster = await emptyTank(lab.service, version);
  let signed = '';
  lab.behave(
    changing(stub, (result) => {
      signed = String(result.paymasterData);
      return { ...result, isFinal: true };
    }),
  );
  const { operation } = await draft(lab.devnet, version);
  const { devnet } = lab;
  const params = [toRpcUserOperation(operation), devnet.entryPoints[version], `0x${devnet.chainId.toString(16)}`, {}];
  const { result } = (await forward(paymaster.rpcUrl, { id: 1, method: stub, params })) as {
    result: { paymasterData: string; isFinal?: boolean };
  };
  expect(result.isFinal).toBeUndefined();
  expect(result.paymasterData).toHaveLength(signed.length);
  // The mode stays; of times and signature nothing does.
  expect(result.paymasterData.slice(0, 4)).toBe(signed.slice(0, 4));
  expect(result.paymasterData.slice(28)).not.toBe(signed.slice(28));
  expect(result.paymasterData).not.toContain(signed.slice(28, 92));
});

test('one that has failed three times is left alone for a while', async () => {
  const service = await lab.again({ timeoutMs: 500 });
  try {
    const paymaster = await emptyTank(service, version);
    lab.behave((_request, response) => void response.destroy());
    const from = asked();
    for (let times = 0; times < 5; times += 1) expect(await ask(paymaster)).toMatchObject(outOfFunds);
    expect(asked() - from).toBe(3);
  } finally {
    await service.close();
  }
});

describe('refusals of one caller’s operations do not stop it for others', () => {
  test.each<[string, Behaviour]>([
    [
      'a reason instead of fields',
      (request, response) => respondResult(response, request, { reason: 'not sponsored' }),
    ],
    [
      'paymaster data without bytes',
      (request, response) => respondResult(response, request, { paymasterAndData: '0x' }),
    ],
    ['an error as text', (_request, response) => respond(response, { error: 'Invalid Api Key' }, 400)],
    ['a text with HTTP status 429', (_request, response) => respond(response, 'slow down', 429)],
    ['a foreign contract', changing(stub, (result) => ({ ...result, paymaster: foreign }))],
  ])('%s', async (_, refusing) => {
    const service = await lab.again({});
    try {
      const paymaster = await emptyTank(service, version);
      lab.behave(refusing);
      for (let times = 0; times < 4; times += 1) expect(await ask(paymaster)).toMatchObject(outOfFunds);
      lab.behave(undefined);
      signedAnswer(await ask(await emptyTank(service, version)));
    } finally {
      await service.close();
    }
  });
});

test('only the operation and the operator’s context are sent', async () => {
  const paymaster = await emptyTank(lab.service, version);
  const from = asked();
  signedAnswer(await ask(paymaster));
  for (const { params } of lab.vendor.requests.slice(from) as readonly RpcRequest[]) {
    expect(params).toHaveLength(4);
    expect(params[3]).toEqual({ sponsorshipPolicyId: 'sp_of_the_operator' });
    expect(JSON.stringify(params)).not.toContain(paymaster.apiKey);
  }
});
