import { createPublicClient, encodeAbiParameters, http, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { gasSchedules } from '../../core/gas/schedule/gas-schedule.ts';
import { gasScheduleOf, readGasSchedule } from '../../core/gas/schedule/read-gas-schedule.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { type EstimationBench, startEstimationBench } from '../support/estimation/estimation-bench.ts';
import { type RpcRequest, respondError, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());

/** What the probe returns where a new slot costs this much: eight gas of its own are measured with it. */
const measured = (newSlot: bigint, knowsClz: boolean) =>
  encodeAbiParameters([{ type: 'uint256' }, { type: 'bool' }], [newSlot + 8n, knowsClz]);

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

describe('the fork whose gas a chain charges', () => {
  test('is measured on a real chain, which runs Osaka', async () => {
    const client = createChainClient(bench.config);
    expect(gasScheduleOf(client).fork).toBe('prague');
    expect(await readGasSchedule(client)).toEqual({ ok: true, value: { schedule: gasSchedules.osaka } });
    expect(gasScheduleOf(client)).toBe(gasSchedules.osaka);
  });

  test.each([
    ['prague', 22_100n, false],
    ['osaka', 22_100n, true],
    ['glamsterdam', 110_020n, true],
  ] as const)('is %s where a new slot costs %d gas and CLZ is known: %s', async (fork, newSlot, knowsClz) => {
    const { client, requests } = await nodeWith({ result: measured(newSlot, knowsClz) });
    expect(await readGasSchedule(client)).toEqual({ ok: true, value: { schedule: gasSchedules[fork] } });
    expect(requests).toMatchObject([{ method: 'eth_call', params: [{ gas: numberToHex(4_000_000) }, 'latest'] }]);
  });

  test('is not known where a slot costs something else: it counts like Osaka, and simulations send less gas', async () => {
    const { client } = await nodeWith({ result: measured(50_000n, true) });
    const found = await readGasSchedule(client);
    expect(found).toMatchObject({ ok: true, value: { measuredSlot: 50_000n, schedule: { fork: 'osaka' } } });
    expect(gasScheduleOf(client)).toEqual({ ...gasSchedules.osaka, simulationCap: 16_777_216n });
  });

  test.each(['execution reverted', 'invalid opcode: opcode 0x5f not defined', 'contract creation is not supported'])(
    'counts like Prague where the node says: %s',
    async (error) => {
      const { client } = await nodeWith({ error });
      expect(await readGasSchedule(client)).toEqual({ ok: true, value: { schedule: gasSchedules.prague } });
    },
  );

  test('stays as it was known while the node is busy', async () => {
    let busy = false;
    const node = await startRpcServer((request, response) => {
      if (busy) respondError(response, request, -32005, 'too many requests');
      else respondResult(response, request, measured(110_020n, true));
    });
    onTestFinished(() => node.close());
    const client = createPublicClient({ transport: http(node.url, { retryCount: 0 }) });
    await readGasSchedule(client);
    busy = true;
    expect(await readGasSchedule(client)).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    expect(gasScheduleOf(client)).toBe(gasSchedules.glamsterdam);
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
      newSlot: 110_020n,
      transactionCap: 16_777_216n,
      simulationCap: 16_777_216n,
    });
  });
});
