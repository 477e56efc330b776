import { createPublicClient, encodeAbiParameters, type Hex, http, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { gasScheduleOf, gasSchedules, readGasSchedule } from '../../core/gas/gas-schedule.ts';
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
import { unitPriceAnswer } from '../support/estimation/unit-price-answer.ts';
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

/** A client of a node that answers the probe like this, and what it was asked. */
async function nodeWith(answer: { result: string } | { error: string }) {
  const requests: RpcRequest[] = [];
  const node = await startRpcServer((request, response) => {
    requests.push(request);
    if ('result' in answer) respondResult(response, request, answer.result);
    else respondError(response, request, -32000, answer.error);
  });
  onTestFinished(() => node.close());
  return { requests, client: createPublicClient({ transport: http(node.url, { retryCount: 0 }) }) };
}

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
    ['prague', mainnet, false],
    ['osaka', mainnet, true],
    ['glamsterdam', sepolia, true],
  ] as const)('is that of %s where its prices are %o and CLZ is known: %s', async (fork, prices, knowsClz) => {
    const { client, requests } = await nodeWith({ result: unitPriceAnswer(prices, knowsClz) });
    expect(await readGasSchedule(client)).toEqual({
      ok: true,
      value: { schedule: gasSchedules[fork], isKnown: true },
    });
    expect(gasScheduleOf(client)).toMatchObject(prices);
    expect(requests).toMatchObject([{ method: 'eth_call', params: [{ gas: numberToHex(4_000_000) }, 'latest', {}] }]);
  });

  test('is what was measured where no known fork has it, and simulations send less gas', async () => {
    const madeUp = {
      newSlot: 50_000n,
      changedSlot: 7_001n,
      coldAccount: 4_002n,
      newAccount: 60_003n,
      codeByte: 504n,
      valueCall: 15_005n,
    };
    const { client } = await nodeWith({ result: unitPriceAnswer(madeUp) });
    expect(await readGasSchedule(client)).toMatchObject({ ok: true, value: { isKnown: false } });
    expect(gasScheduleOf(client)).toEqual({ ...gasSchedules.osaka, ...madeUp, simulationCap: 16_777_216n });
  });

  test('is recognised by all prices: with a slot of Glamsterdam and other accounts it is measured', async () => {
    const { client } = await nodeWith({ result: unitPriceAnswer({ ...sepolia, newAccount: 190_000n }) });
    expect(await readGasSchedule(client)).toMatchObject({ ok: true, value: { isKnown: false } });
    expect(gasScheduleOf(client)).toEqual({ ...gasSchedules.glamsterdam, newAccount: 190_000n });
  });

  test('counts like that of mainnet where a step costs less', async () => {
    const { client } = await nodeWith({ result: unitPriceAnswer({ ...mainnet, changedSlot: 100n, codeByte: 1n }) });
    await readGasSchedule(client);
    expect(gasScheduleOf(client)).toBe(gasSchedules.osaka);
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
      else respondResult(response, request, unitPriceAnswer(sepolia));
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
    const [call] = request.params as [{ to?: Hex }?];
    const isProbe = request.method === 'eth_call' && call?.to === unitPriceProbeAddress;
    if (isProbe) respondResult(response, request, unitPriceAnswer(sepolia));
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
    const { client, requests } = await nodeWith({ result: unitPriceAnswer(sepolia) });
    await readGasSchedule(client);
    await tryOverrides(client);
    const [, simulation] = requests;
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
    expect(then.preVerificationGas - now.preVerificationGas).toBe(15_000n - 21_000n + 4_500n);
  });
});

const gasOf = (params: readonly unknown[]) => BigInt((params as [{ gas?: Hex }])[0].gas ?? 0);

async function estimate(parts: Pick<EstimationBench, 'client' | 'config'>, { request }: Case): Promise<GasLimits> {
  const estimated = await createGasEstimator(parts).estimate(request);
  if (!estimated.ok) throw new Error(estimated.refusal.message);
  return estimated.value.limits;
}

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
