import { createPublicClient, encodeAbiParameters, type Hex, http } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { gasScheduleOf, gasSchedules, hasNewPrices, readGasSchedule } from '../../core/gas/gas-schedule.ts';
import { verificationCeilings } from '../../core/gas/simulation/estimation-context.ts';
import { tryOverrides } from '../../core/gas/simulation/override-call.ts';
import { unitPriceProbeAddress } from '../../core/gas/unit-price-probe.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import {
  type Case,
  type EstimationBench,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import { priceAnswer, unitPriceAnswer } from '../support/estimation/unit-price-answer.ts';
import {
  forward,
  type RpcRequest,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());

/** Mainnet's prices of today, each written out from its own text. */
const mainnet = {
  newSlot: 22_100n,
  changedSlot: 5_000n,
  coldAccount: 2_600n,
  newAccount: 25_000n,
  codeByte: 200n,
  valueCall: 9_100n,
};
/** Those of Sepolia (EIP-8037 and EIP-8038), as a node with them was measured. */
const sepolia = {
  newSlot: 110_020n,
  changedSlot: 12_100n,
  coldAccount: 3_000n,
  newAccount: 183_600n,
  codeByte: 1_530n,
  valueCall: 11_400n,
};

/** A chain's transactions, each written out from its own text. */
const mainnetTransaction = {
  transaction: 21_000n,
  zeroByte: 4n,
  otherByte: 16n,
  floorZeroByte: 10n,
  floorOtherByte: 40n,
  authorization: 25_000n,
  freshAuthorization: 25_000n,
};
const sepoliaTransaction = {
  transaction: 15_000n,
  zeroByte: 4n,
  otherByte: 16n,
  floorZeroByte: 64n,
  floorOtherByte: 64n,
  authorization: 52_006n,
  freshAuthorization: 235_606n,
};

/** A client of a node that answers like this, and what it was asked. */
async function nodeThat(answers: (request: RpcRequest) => string | Error) {
  const requests: RpcRequest[] = [];
  const node = await startRpcServer((request, response) => {
    requests.push(request);
    const answer = answers(request);
    if (typeof answer === 'string') respondResult(response, request, answer);
    else respondError(response, request, -32000, answer.message);
  });
  onTestFinished(() => node.close());
  return { requests, client: createPublicClient({ transport: http(node.url, { retryCount: 0 }) }) };
}

const nodeOf = (prices: Parameters<typeof priceAnswer>[1], knowsClz = true) =>
  nodeThat((request) => priceAnswer(request, prices, knowsClz) ?? '0x');
const nodeWith = (answer: { result: string } | { error: string }) =>
  nodeThat(() => ('result' in answer ? answer.result : new Error(answer.error)));

const isUnitProbe = ({ params }: RpcRequest) => (params[0] as { to?: Hex } | undefined)?.to === unitPriceProbeAddress;

describe('the gas that a chain charges', () => {
  test('is measured on a real chain, which runs Osaka with the prices of mainnet', async () => {
    const client = createChainClient(bench.config);
    expect(gasScheduleOf(client).fork).toBe('prague');
    expect(await readGasSchedule(client)).toEqual({
      ok: true,
      value: { schedule: gasSchedules.osaka, isKnown: true },
    });
    expect(gasScheduleOf(client)).toBe(gasSchedules.osaka);
    expect(gasScheduleOf(client)).toMatchObject(mainnet);
  });

  test.each([
    ['prague', { ...mainnet, ...mainnetTransaction }, false],
    ['osaka', { ...mainnet, ...mainnetTransaction }, true],
    ['glamsterdam', { ...sepolia, ...sepoliaTransaction }, true],
  ] as const)('is that of %s where its prices are %o and CLZ is known: %s', async (fork, prices, knowsClz) => {
    const { client } = await nodeOf(prices, knowsClz);
    expect(await readGasSchedule(client)).toEqual({
      ok: true,
      value: { schedule: gasSchedules[fork], isKnown: true },
    });
    expect(gasScheduleOf(client)).toMatchObject(prices);
  });

  const madeUp = {
    newSlot: 50_000n,
    changedSlot: 7_001n,
    coldAccount: 4_002n,
    newAccount: 60_003n,
    codeByte: 504n,
    valueCall: 15_005n,
    transaction: 31_006n,
    zeroByte: 7n,
    otherByte: 29n,
    floorZeroByte: 13n,
    floorOtherByte: 51n,
    authorization: 44_007n,
    freshAuthorization: 120_008n,
  };

  test('is what was measured where no known fork has it, and simulations send less gas', async () => {
    const { client } = await nodeOf(madeUp);
    expect(await readGasSchedule(client)).toMatchObject({ ok: true, value: { isKnown: false } });
    expect(gasScheduleOf(client)).toMatchObject({ ...madeUp, simulationCap: 16_777_216n });
    // The bundler's account is touched and paid: 1,402 and 5,905 more than on mainnet.
    expect(gasScheduleOf(client).operationOverhead).toBe(22_000n + 1_402n + 5_905n);
  });

  test('is recognised by all prices: with a slot of Glamsterdam and other accounts it is measured', async () => {
    const prices = { ...sepolia, ...sepoliaTransaction, newAccount: 190_000n };
    const { client } = await nodeOf(prices);
    expect(await readGasSchedule(client)).toMatchObject({ ok: true, value: { isKnown: false } });
    expect(gasScheduleOf(client)).toMatchObject(prices);
  });

  test('counts like that of mainnet where a step costs less', async () => {
    const { client } = await nodeOf({ ...mainnet, ...mainnetTransaction, changedSlot: 100n, codeByte: 1n });
    await readGasSchedule(client);
    expect(gasScheduleOf(client)).toBe(gasSchedules.osaka);
  });

  test('is that of mainnet for transactions where a node does not tell their gas', async () => {
    const prices = { ...mainnet, ...mainnetTransaction, changedSlot: 6_000n };
    const { client } = await nodeThat(
      (request) => (isUnitProbe(request) ? priceAnswer(request, prices) : undefined) ?? new Error('not supported'),
    );
    expect(await readGasSchedule(client)).toMatchObject({ ok: true, value: { isKnown: false } });
    expect(gasScheduleOf(client)).toMatchObject(prices);
  });

  test('is asked for by one call as long as single steps cost the same', async () => {
    const charged = { ...mainnet, ...mainnetTransaction };
    let prices = charged;
    const { client, requests } = await nodeThat((request) => priceAnswer(request, prices) ?? '0x');
    expect(await hasNewPrices(client)).toBe(true);
    await readGasSchedule(client);
    requests.length = 0;
    expect(await hasNewPrices(client)).toBe(false);
    expect(requests.length).toBe(1);
    prices = { ...charged, newSlot: 30_000n };
    expect(await hasNewPrices(client)).toBe(true);
  });

  test.each([
    ['more than the call had', unitPriceAnswer({ ...mainnet, newSlot: 4_000_001n })],
    ['fewer words than measurements', encodeAbiParameters([{ type: 'uint256[2]' }], [[22_108n, 1n]])],
    ['nothing', '0x'],
  ])('counts like Prague where a node answers with %s', async (_, result) => {
    const { client } = await nodeWith({ result });
    expect(await readGasSchedule(client)).toMatchObject({ ok: true, value: { schedule: gasSchedules.prague } });
  });

  test.each(['execution reverted', 'invalid opcode: opcode 0x5f not defined', 'contract creation is not supported'])(
    'counts like Prague where the node says: %s',
    async (error) => {
      const { client } = await nodeWith({ error });
      expect(await readGasSchedule(client)).toMatchObject({ ok: true, value: { schedule: gasSchedules.prague } });
    },
  );

  test('stays as it was known while the node is busy', async () => {
    let busy = false;
    const node = await startRpcServer((request, response) => {
      if (busy) respondError(response, request, -32005, 'too many requests');
      else respondResult(response, request, priceAnswer(request, { ...sepolia, ...sepoliaTransaction }) ?? '0x');
    });
    onTestFinished(() => node.close());
    const client = createPublicClient({ transport: http(node.url, { retryCount: 0 }) });
    await readGasSchedule(client);
    busy = true;
    expect(await readGasSchedule(client)).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    expect(gasScheduleOf(client)).toBe(gasSchedules.glamsterdam);
  });
});

/** The real chain, whose node measures what it would after the fork: nothing else of it is new. */
async function forkedBench() {
  const requests: RpcRequest[] = [];
  const node = await startRpcServer(async (request, response) => {
    requests.push(request);
    const answer = priceAnswer(request, { ...sepolia, ...sepoliaTransaction });
    if (answer !== undefined) respondResult(response, request, answer);
    else respond(response, await forward(bench.devnet.rpcUrl, request));
  });
  onTestFinished(() => node.close());
  const config = { ...bench.config, nodeUrls: [node.url] };
  const client = createChainClient(config);
  await readGasSchedule(client);
  return { client, config, requests };
}

describe('an estimate after Glamsterdam', () => {
  test('is made in simulations of 16,777,216 gas at most, as heavy as the operation is', async () => {
    const { client, config, requests } = await forkedBench();
    const heavy = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'fill', [200n])]);
    const estimated = await createGasEstimator({ client, config }).estimate(heavy.request);
    expect(estimated.ok).toBe(true);
    const sent = requests.flatMap(({ method, params }) => (method === 'eth_call' ? [gasOf(params)] : []));
    expect(sent.every((gas) => gas <= 16_777_216n)).toBe(true);
    expect(sent.filter((gas) => gas === 16_777_216n).length).toBeGreaterThan(0);
  });

  test('sends no more gas with any other simulation', async () => {
    const { client, requests } = await nodeOf({ ...sepolia, ...sepoliaTransaction });
    await readGasSchedule(client);
    await tryOverrides(client);
    const simulation = requests.at(-1);
    expect(gasOf(simulation?.params ?? [])).toBe(16_777_216n);
  });

  test('has more room for an approval that is not there yet, of as much as its new slot costs more', async () => {
    const { client, config } = await forkedBench();
    const subject = await makeCase(bench, { version: '0.7', callGasAllowance: 60_000n }, []);
    const [now, then] = [await estimate(bench, subject), await estimate({ client, config }, subject)];
    expect(then.callGasLimit - now.callGasLimit).toBe(110_020n - 22_100n);
  });

  test('has in preVerificationGas what the transaction costs less and the payment of the bundler more', async () => {
    const { client, config } = await forkedBench();
    const subject = await makeCase(bench, { version: '0.7' }, []);
    const [now, then] = [await estimate(bench, subject), await estimate({ client, config }, subject)];
    expect(then.preVerificationGas - now.preVerificationGas).toBe(15_000n - 21_000n + 2_700n);
  });
});

const gasOf = (params: readonly unknown[]) => BigInt((params as [{ gas?: Hex }])[0].gas ?? 0);

async function estimate(parts: Pick<EstimationBench, 'client' | 'config'>, { request }: Case): Promise<GasLimits> {
  const estimated = await createGasEstimator(parts).estimate(request);
  if (!estimated.ok) throw new Error(estimated.refusal.message);
  return estimated.value.limits;
}

describe('the verification limits that an estimate tries in turn', () => {
  test('are higher where new state costs more, of which creations consist', () => {
    expect(verificationCeilings(mainnet)).toEqual([500_000n, 2_000_000n, 8_000_000n]);
    // 500,000 times 110,020 / 22,100. Four times as much is above the last one.
    expect(verificationCeilings(sepolia)).toEqual([2_489_140n, 8_000_000n]);
  });
});

describe('the gas of Glamsterdam', () => {
  /** The values of the EIPs as of August 2026, each written out from its own text. */
  test('is that of EIP-2780, 7976, 8037 and 8038', () => {
    expect(gasSchedules.glamsterdam).toMatchObject({
      transaction: 15_000n,
      floorZeroByte: 64n,
      floorOtherByte: 64n,
      authorization: 52_006n,
      freshAuthorization: 235_606n,
      ...sepolia,
      simulationCap: 16_777_216n,
    });
  });
});
