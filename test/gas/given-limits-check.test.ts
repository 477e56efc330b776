import { join } from 'node:path';
import { encodeDeployData, encodeFunctionData, type Hex, pad } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { beaconSlot, implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { boundsOf, maxLimit } from '../../core/gas/compare-limits.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { preVerificationAllowance } from '../../core/gas/fees/pre-verification-gas.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import {
  createGivenLimitsCheck,
  type GivenLimitsCheck,
  type Guarded,
  type GuardRequest,
} from '../../core/gas/given-limits-check.ts';
import { accountLifetimeMs, estimateLifetimeMs, refusalLifetimeMs } from '../../core/gas/guard-memory.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import {
  type Case,
  type EstimationBench,
  land,
  makeCase,
  puzzleCall,
  send,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import { forward, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

let bench: EstimationBench;
/** The bench's node, seen through a server that keeps what it was asked. */
let node: RpcServer;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  node = await startRpcServer(async (request, response) =>
    respond(response, await forward(bench.devnet.rpcUrl, request)),
  );
});
afterEach(() => node.close());

function guardOver(changed: Partial<ChainConfig> = {}, clock = { now: () => 0 }): GivenLimitsCheck {
  const config = { ...bench.config, nodeUrls: [node.url], ...changed };
  const client = createChainClient(config);
  return createGivenLimitsCheck({ client, config, clock, estimator: createGasEstimator({ client, config }) });
}

async function estimate({ request }: Case): Promise<GasLimits> {
  const result = await createGasEstimator(bench).estimate(request);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value.limits;
}

function check(
  guard: GivenLimitsCheck,
  { request }: Case,
  gas: GasLimits,
  changed: Partial<UserOperation> = {},
  more: Partial<GuardRequest> = {},
): Promise<Result<Guarded>> {
  return guard.check({
    operation: { ...request.operation, ...changed, gas },
    entryPoint: request.entryPoint,
    paymasterGas: request.paymasterGas,
    stub: request.stub,
    payment: 'sponsored',
    complete: (limits) => limits,
    ...more,
  });
}

const passes = { ok: true, value: { dataGas: 0n } };

describe.each(entryPointsOfRun)('given limits of an operation of EntryPoint %s', (version) => {
  let subject: Case;
  let own: GasLimits;
  beforeAll(async () => {
    const first = await makeCase(bench, { version }, []);
    await land(bench, first, await estimate(first));
    subject = await makeCase(bench, { version, owner: first.owner }, [puzzleCall(bench, 'fill', [5n])]);
    own = await estimate(subject);
  });

  test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const)(
    '%s may be as far above the need as its bound says, data left out, and not one gas beyond',
    async (field) => {
      const guard = guardOver();
      // 43,000 of preVerificationGas are no data: the transaction, and what the EntryPoint does not meter.
      const max =
        field === 'preVerificationGas'
          ? own[field] + 43_000n / 4n + preVerificationAllowance
          : maxLimit(
              field,
              { limits: own, dataGas: 0n, maxPreVerificationGas: 0n },
              boundsOf({}, gasSchedules.osaka, version),
            );
      expect(await check(guard, subject, { ...own, [field]: max })).toEqual(passes);
      expect(await check(guard, subject, { ...own, [field]: max + 1n })).toMatchObject({
        ok: false,
        refusal: {
          reason: 'LIMIT_EXCEEDED',
          field,
          details: { asked: (max + 1n).toString(), max: max.toString() },
        },
      });
    },
  );

  test('a callGasLimit of 50 times what is needed is refused', async () => {
    const gas = { ...own, callGasLimit: 50n * own.callGasLimit };
    expect(await check(guardOver(), subject, gas)).toMatchObject({
      refusal: { reason: 'LIMIT_EXCEEDED', field: 'callGasLimit' },
    });
  });

  test("the operator's own factor takes the place of the usual one", async () => {
    const guard = guardOver({ maxGasOverEstimate: 10_000 });
    const bounds = boundsOf({ maxGasOverEstimate: 10_000 }, gasSchedules.osaka, version);
    const max = maxLimit('callGasLimit', { limits: own, dataGas: 0n, maxPreVerificationGas: 0n }, bounds);
    expect(await check(guard, subject, { ...own, callGasLimit: max })).toEqual(passes);
    expect(await check(guard, subject, { ...own, callGasLimit: max + 1n })).toMatchObject({ ok: false });
  });

  test.each(['callGasLimit', 'verificationGasLimit'] as const)('a %s with which it fails is named', async (field) => {
    expect(await check(guardOver(), subject, { ...own, [field]: own[field] / 2n })).toMatchObject({
      ok: false,
      refusal: { reason: 'ESTIMATION_FAILED', field, details: { needed: own[field].toString() } },
    });
  });

  test('limits a little below our estimate pass when the operation runs with them, and are tried out once', async () => {
    const guard = guardOver();
    const gas = { ...own, callGasLimit: (own.callGasLimit * 95n) / 100n };
    expect(await check(guard, subject, gas)).toEqual(passes);
    const asked = node.requests.length;
    expect(await check(guard, subject, gas)).toEqual(passes);
    expect(node.requests.length).toBe(asked);
  });

  test('an operation whose call reverts is refused with the revert, unless the operator allows it', async () => {
    const failing = await makeCase(bench, { version, owner: subject.owner }, [puzzleCall(bench, 'failWithText')]);
    expect(await check(guardOver(), failing, own)).toMatchObject({
      ok: false,
      refusal: {
        reason: 'ESTIMATION_FAILED',
        field: 'callData',
        details: { revert: 'Error("the vault is closed")' },
      },
    });
    const lenient = guardOver({ allowRevertingOperations: true });
    expect(await check(lenient, failing, { ...own, callGasLimit: 60_000n })).toEqual(passes);
    expect(await check(lenient, failing, { ...own, callGasLimit: 1_000n })).toEqual(passes);
    expect(await check(lenient, failing, { ...own, callGasLimit: 50n * own.callGasLimit })).toMatchObject({
      refusal: { reason: 'LIMIT_EXCEEDED', field: 'callGasLimit' },
    });
  });

  test('an operation whose call reverts passes where the one who pays pays for that too', async () => {
    const failing = await makeCase(bench, { version, owner: subject.owner }, [puzzleCall(bench, 'failWithText')]);
    for (const callGasLimit of [60_000n, 1_000n]) {
      const gas = { ...own, callGasLimit };
      expect(await check(guardOver(), failing, gas, {}, { mayRevert: true })).toEqual(passes);
      expect(await check(guardOver(), failing, gas)).toMatchObject({ refusal: { reason: 'ESTIMATION_FAILED' } });
    }
  });

  test('what the stub does not show has to be left over of the verification limit', async () => {
    const gas = { ...own, verificationGasLimit: (own.verificationGasLimit * 95n) / 100n };
    expect(await check(guardOver(), subject, gas)).toEqual(passes);
    for (const unseenVerificationGas of [gas.verificationGasLimit / 2n, 2n * gas.verificationGasLimit]) {
      expect(await check(guardOver(), subject, gas, {}, { unseenVerificationGas })).toMatchObject({
        refusal: { reason: 'ESTIMATION_FAILED', field: 'verificationGasLimit' },
      });
    }
  });

  test('what the estimate does not see belongs to what is needed', async () => {
    const unseen = 1_000_000n;
    const complete = (limits: GasLimits) => ({ ...limits, callGasLimit: limits.callGasLimit + unseen });
    const gas = { ...own, callGasLimit: own.callGasLimit + unseen };
    expect(await check(guardOver(), subject, gas)).toMatchObject({ refusal: { field: 'callGasLimit' } });
    expect(await check(guardOver(), subject, gas, {}, { complete })).toEqual(passes);
  });

  test('an operation that waits for others of its account is not refused for its nonce', async () => {
    const nonce = subject.request.operation.nonce + 7n;
    expect(await check(guardOver(), subject, own, { nonce })).toEqual(passes);
  });

  test('an operation with a nonce key of its own is not refused for it, and pays for the new key', async () => {
    const nonce = 123n << 64n;
    expect(await check(guardOver(), subject, own, { nonce })).toMatchObject({
      refusal: { reason: 'ESTIMATION_FAILED', field: 'verificationGasLimit' },
    });
    const gas = { ...own, verificationGasLimit: own.verificationGasLimit + 25_000n };
    expect(await check(guardOver(), subject, gas, { nonce })).toEqual(passes);
  });
});

describe('the memory of the guard', () => {
  let subject: Case;
  let own: GasLimits;
  beforeAll(async () => {
    subject = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'store', ['0x'])]);
    own = await estimate(subject);
  });

  test('asks nothing of the chain for more operations of the account with the same call', async () => {
    const guard = guardOver();
    expect(await check(guard, subject, own)).toEqual(passes);
    const asked = node.requests.length;
    for (const key of [1n, 2n, 3n]) {
      expect(await check(guard, subject, own, { nonce: key << 64n })).toEqual(passes);
    }
    expect(node.requests.length).toBe(asked);
  });

  test('makes one estimate for many first operations at once', async () => {
    const guard = guardOver();
    const keys = Array.from({ length: 20 }, (_, index) => BigInt(index));
    const results = await Promise.all(keys.map((key) => check(guard, subject, own, { nonce: key << 64n })));
    expect(results).toEqual(keys.map(() => passes));
    const alone = node.requests.length;
    await check(guardOver(), subject, own);
    expect(node.requests.length).toBe(2 * alone);
  });

  test('reads once, for all that simulates with the same client, what code is on chain', async () => {
    const config = { ...bench.config, nodeUrls: [node.url] };
    const parts = { client: createChainClient(config), config };
    const guard = createGivenLimitsCheck({ ...parts, clock: { now: () => 0 }, estimator: createGasEstimator(parts) });
    expect(await createGasEstimator(parts).estimate(subject.request)).toMatchObject({ ok: true });
    expect(await check(guard, subject, { ...own, callGasLimit: (own.callGasLimit * 95n) / 100n })).toEqual(passes);
    // Of the EntryPoint, of a layer 2's oracle, and where the probe and the simulations would be.
    expect(node.requests.filter(({ method }) => method === 'eth_getCode')).toHaveLength(4);
  });

  test('asks again for another call, another sender, and after a minute', async () => {
    let now = 0;
    const guard = guardOver({}, { now: () => now });
    await check(guard, subject, own);
    let asked = node.requests.length;
    const other = await makeCase(bench, { version: '0.7', owner: subject.owner }, [puzzleCall(bench, 'fill', [1n])]);
    await check(guard, other, await estimate(other));
    expect(node.requests.length).toBeGreaterThan(asked);
    asked = node.requests.length;
    now = estimateLifetimeMs - 1;
    await check(guard, subject, own);
    expect(node.requests.length).toBe(asked);
    now = estimateLifetimeMs;
    await check(guard, subject, own);
    expect(node.requests.length).toBeGreaterThan(asked);
  });

  test('refuses nothing by itself: a refusal comes from a fresh estimate', async () => {
    const guard = guardOver();
    expect(await check(guard, subject, own)).toEqual(passes);
    const asked = node.requests.length;
    expect(await check(guard, subject, { ...own, callGasLimit: 50n * own.callGasLimit })).toMatchObject({ ok: false });
    expect(node.requests.length).toBeGreaterThan(asked);
  });

  test('does not let an account that has become another one pass on what it was', async () => {
    const first = await makeCase(bench, { version: '0.7' }, []);
    await land(bench, first, await estimate(first));
    const later = await makeCase(bench, { version: '0.7', owner: first.owner }, []);
    const { sender } = later.request.operation;
    const gas = await estimate(later);
    let now = 0;
    const guard = guardOver({}, { now: () => now });
    const accountSlots = { slots: [implementationSlot], beaconSlot };
    const seen = () => check(guard, later, gas, {}, { accountSlots });
    const before = await seen();
    const { client } = bench.devnet;
    const published = (await client.getStorageAt({ address: sender, slot: implementationSlot })) ?? '0x';
    expect(before).toMatchObject({ ok: true, value: { account: { words: { [implementationSlot]: published } } } });
    const asked = node.requests.length;
    now = accountLifetimeMs - 1;
    expect(await seen()).toEqual(before);
    expect(node.requests.length).toBe(asked);
    now = accountLifetimeMs;
    expect(await seen()).toEqual(before);
    const forSecond = node.requests.length - asked;
    expect(forSecond).toBeGreaterThan(0);
    const otherAddress: Hex = '0x0000000000000000000000000000000000acc0de';
    const bytecode = (await client.getCode({ address: `0x${published.slice(-40)}` })) ?? '0x';
    await client.setCode({ address: otherAddress, bytecode });
    await client.setStorageAt({ address: sender, index: implementationSlot, value: pad(otherAddress) });
    await client.mine({ blocks: 1 });
    now = 2 * accountLifetimeMs;
    const after = await seen();
    expect(after).toMatchObject({
      ok: true,
      value: { account: { words: { [implementationSlot]: pad(otherAddress) } } },
    });
    expect(node.requests.length - asked - forSecond).toBeGreaterThan(forSecond);
  });

  test('does not ask a node again at once that could not answer', async () => {
    const broken = await startRpcServer((_, response) => respond(response, 'oops', 500));
    onTestFinished(() => broken.close());
    let now = 0;
    const guard = guardOver({ nodeUrls: [broken.url] }, { now: () => now });
    const unavailable = { refusal: { reason: 'CHAIN_UNAVAILABLE' } };
    expect(await check(guard, subject, own)).toMatchObject(unavailable);
    const asked = broken.requests.length;
    expect(await check(guard, subject, own)).toMatchObject(unavailable);
    expect(broken.requests.length).toBe(asked);
    now = refusalLifetimeMs;
    expect(await check(guard, subject, own)).toMatchObject(unavailable);
    expect(broken.requests.length).toBeGreaterThan(asked);
  });

  test('keeps no failure: what the chain refused once is asked again', async () => {
    const down = guardOver({ nodeUrls: ['http://127.0.0.1:1'] });
    expect(await check(down, subject, own)).toMatchObject({ refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    expect(await check(guardOver(), subject, own)).toEqual(passes);
  });

  test('an operation that its account does not let in yet passes within fixed bounds', async () => {
    const guard = guardOver();
    const undeployed = { initCode: '0x' } as const;
    const most = { callGasLimit: 100_000n, verificationGasLimit: 150_000n, preVerificationGas: 50_000n };
    const unmeasured = { ok: true, value: { dataGas: 0n, unestimated: true } };
    expect(await check(guard, subject, { ...own, ...most }, undeployed)).toEqual(unmeasured);
    for (const field of ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const) {
      const gas = { ...own, ...most, [field]: 2n * most[field] };
      expect(await check(guard, subject, gas, undeployed)).toMatchObject({
        refusal: { reason: 'LIMIT_EXCEEDED', field, details: { limit: 'unestimatedGas' } },
      });
    }
  });

  test('an operation that the paymaster contract does not let in is refused, whatever its limits', async () => {
    const guard = guardOver();
    const gas = { ...own, callGasLimit: 100_000n, verificationGasLimit: 150_000n };
    const refused = { ok: false, refusal: { reason: 'ESTIMATION_FAILED', details: { aaCode: 'AA30' } } };
    const stranger = '0x00000000000000000000000000000000000000aa';
    const { operation, stub, entryPoint, paymasterGas } = subject.request;
    const common = { entryPoint, paymasterGas, payment: 'unknown', complete: (limits: GasLimits) => limits };
    const asked = {
      ...common,
      operation: { ...operation, gas },
      stub: (stubbed: UserOperationWithGas): Hex => `${stranger}${stub(stubbed).slice(42)}`,
    };
    expect(await guard.check(asked)).toMatchObject(refused);
    expect(await guard.check(asked)).toMatchObject(refused);
  });
});

test('an account of EntryPoint 0.9 that signs for blocks is judged like others, and lands in those blocks', async () => {
  const { client } = bench.devnet;
  const compiled = compileSolidity(join(import.meta.dirname, 'contracts/BlockAccount.sol')).get('BlockAccount');
  if (compiled === undefined) throw new Error('There is no account.');
  const last = Number(await client.getBlockNumber()) + 50;
  const { abi, creationBytecode: bytecode } = compiled;
  const { contractAddress: sender } = await send(bench.devnet, bench.bundler, {
    data: encodeDeployData({ abi, bytecode, args: [last] }),
  });
  if (sender == null) throw new Error('The account was not made.');
  const callData = encodeFunctionData({ abi, functionName: 'count' });
  const made = await makeCase(bench, { version: '0.9' }, []);
  const operationOf = (nonce: bigint): Case => {
    const operation = { ...made.request.operation, sender, nonce, initCode: '0x', callData } as const;
    return { ...made, request: { ...made.request, operation } };
  };
  const inTime = operationOf(0n);
  const gas = await estimate(inTime);
  expect(await check(guardOver(), inTime, gas)).toEqual(passes);
  expect((await land(bench, inTime, gas)).success).toBe(true);
  await client.mine({ blocks: 60 });
  // Estimates are made with signatures that stand in for others: when those are good they cannot tell.
  const late = operationOf(1n);
  expect(await check(guardOver(), late, await estimate(late))).toEqual(passes);
  await expect(land(bench, late, gas)).rejects.toThrow('AA27 outside valid block range');
});
