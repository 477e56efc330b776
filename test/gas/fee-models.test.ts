import { deflateRawSync } from 'node:zlib';
import { bytesToHex, concat, encodeFunctionData, type Hex, hexToBytes, numberToHex, parseGwei } from 'viem';
import { entryPoint07Abi } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { GasEstimate } from '../../core/gas/estimator.ts';
import { nodeInterface } from '../../core/gas/fees/fee-models.ts';
import { gasPriceOracle } from '../../core/gas/fees/find-fee-model.ts';
import { scrollOracleAddress } from '../../core/gas/fees/oracle-data-fee.ts';
import { createGivenLimitsCheck } from '../../core/gas/given-limits-check.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { packUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  type Case,
  type EstimationBench,
  land,
  makeCase,
  puzzleCall,
  signCase,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import { placeScrollOracle, placeStandIn, scrollOracleAbi } from '../support/estimation/fee-oracles.ts';
import { forward, type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

type Model = NonNullable<ChainConfig['dataFee']>;

let bench: EstimationBench;
let linea: RpcServer;
beforeAll(async () => {
  bench = await startEstimationBench();
  await placeStandIn(bench, 'StandInNodeInterface', nodeInterface);
  await placeScrollOracle(bench);
  linea = await startRpcServer(async (request, response) => {
    const answer = await forward(bench.devnet.rpcUrl, request);
    respond(response, request.method === 'eth_getBlockByNumber' ? withPrices(answer as Answer) : answer);
  });
});
afterAll(async () => {
  await linea.close();
  await bench.close();
});

/** What a gas and a byte of the compressed transaction cost on the test chain that stands for Linea, in wei. */
const lineaPrices = { perGas: 30_000_000n, perByte: 400_000_000n };

type Answer = { readonly result?: object };
/** The block of an answer with these prices in its `extraData`. */
function withPrices({ result, ...rest }: Answer): Answer {
  const kwei = (wei: bigint) => numberToHex(wei / 1_000n, { size: 4 });
  const extraData = concat(['0x01', kwei(lineaPrices.perGas), kwei(lineaPrices.perByte), '0x00000000', '0x00']);
  return { ...rest, result: { ...result, extraData } };
}

function partsOf(dataFee: Model) {
  const nodeUrls = dataFee === 'linea' ? [linea.url] : bench.config.nodeUrls;
  const config: ChainConfig = { ...bench.config, nodeUrls, dataFee };
  return { client: createChainClient(config), config };
}

async function estimate(dataFee: Model, { request }: Case): Promise<GasEstimate> {
  const estimated = await createGasEstimator(partsOf(dataFee)).estimate(request);
  if (!estimated.ok) throw new Error(estimated.refusal.message);
  return estimated.value;
}

const newCase = (owner?: Case['owner']) =>
  makeCase(bench, { version: '0.7', ...(owner === undefined ? {} : { owner }) }, [puzzleCall(bench, 'store', ['0x'])]);

/** An operation of an account that exists. */
async function deployedCase(): Promise<Case> {
  const first = await newCase();
  await land(bench, first, (await estimate('none', first)).limits);
  return newCase(first.owner);
}

/** What the EntryPoint pays for a gas of the operation, in wei. */
async function priceOf({ request: { operation } }: Case): Promise<bigint> {
  const { baseFeePerGas } = await bench.devnet.client.getBlock();
  const offered = operation.maxPriorityFeePerGas + (baseFeePerGas ?? 0n);
  return offered < operation.maxFeePerGas ? offered : operation.maxFeePerGas;
}

/** The fee that the chain takes for a bundle that landed, in wei, from the bundle itself. */
type FeeOf = (bundle: { readonly raw: Hex; readonly gasUsed: bigint; readonly tip: bigint }) => Promise<bigint>;

const compressedSize = (raw: Hex) => deflateRawSync(hexToBytes(raw), { level: 9 }).length;
const standInL1Fee = (raw: Hex) => 1_000_000n * BigInt(hexToBytes(raw).length);
const standInOperatorFee = (gasUsed: bigint) => gasUsed * 90_000n + 5_000_000_000n;

const chains: readonly (readonly [model: Model, oracle: string | undefined, feeOf: FeeOf])[] = [
  ['op-stack', 'StandInIsthmusOracle', async ({ raw, gasUsed }) => standInL1Fee(raw) + standInOperatorFee(gasUsed)],
  ['op-stack', 'StandInGasPriceOracle', async ({ raw }) => standInL1Fee(raw)],
  [
    'mantle',
    'StandInMantleOracle',
    async ({ raw, gasUsed }) => 3_020n * standInL1Fee(raw) + standInOperatorFee(gasUsed),
  ],
  [
    'scroll',
    undefined,
    ({ raw }) =>
      bench.devnet.client.readContract({
        address: scrollOracleAddress,
        abi: scrollOracleAbi,
        functionName: 'getL1Fee',
        args: [bytesToHex(deflateRawSync(hexToBytes(raw), { level: 9 }))],
      }),
  ],
  [
    'linea',
    undefined,
    async ({ raw, gasUsed, tip }) => {
      const wanted = lineaPrices.perGas * gasUsed + lineaPrices.perByte * BigInt(compressedSize(raw));
      return wanted > tip * gasUsed ? wanted - tip * gasUsed : 0n;
    },
  ],
];

describe.each(chains)('the fee of %s (%s)', (model, oracle, feeOf) => {
  beforeAll(async () => {
    if (oracle !== undefined) await placeStandIn(bench, oracle);
  });

  test('is in preVerificationGas: what the bundle costs that lands, and less than twice as much', async () => {
    const plain = await deployedCase();
    const { operation } = plain.request;
    // A tip that covers no fee of Linea.
    const tip = model === 'linea' ? 1n : operation.maxPriorityFeePerGas;
    const subject = { ...plain, request: { ...plain.request, operation: { ...operation, maxPriorityFeePerGas: tip } } };
    const own = await estimate(model, subject);
    const without = await estimate('none', subject);
    expect(own.limits).toEqual({
      ...without.limits,
      preVerificationGas: without.limits.preVerificationGas + own.dataGas,
    });
    const price = await priceOf(subject);
    const { success, receipt, transactionHash } = await land(bench, subject, own.limits);
    expect(success).toBe(true);
    const raw = await bench.devnet.client.request({
      method: 'eth_getRawTransactionByHash' as 'eth_getTransactionByHash',
      params: [transactionHash],
    });
    const fee = await feeOf({ raw: raw as unknown as Hex, gasUsed: receipt.gasUsed, tip });
    expect(fee).toBeGreaterThan(0n);
    expect(own.dataGas * price).toBeGreaterThanOrEqual(fee);
    expect(own.dataGas * price).toBeLessThan(2n * fee);
  });
});

test('a tip that Linea takes leaves no data fee', async () => {
  const subject = await deployedCase();
  const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('50') };
  const request = { ...subject.request, operation: { ...subject.request.operation, ...fees } };
  expect((await estimate('linea', { ...subject, request })).dataGas).toBe(0n);
});

test('a chain without the prices of Linea in its blocks is named as the cause', async () => {
  const subject = await deployedCase();
  const config: ChainConfig = { ...bench.config, dataFee: 'linea' };
  const refused = await createGasEstimator({ client: bench.client, config }).estimate(subject.request);
  expect(refused).toMatchObject({
    refusal: { reason: 'CHAIN_UNAVAILABLE', message: expect.stringContaining('dataFee') },
  });
});

test('an oracle of Mantle that names no ratio is refused', async () => {
  await placeStandIn(bench, 'StandInIsthmusOracle');
  const subject = await deployedCase();
  const refused = await createGasEstimator(partsOf('mantle')).estimate(subject.request);
  expect(refused).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
});

test('the published oracle of Scroll is the one since Galileo', async () => {
  const isGalileo = { address: scrollOracleAddress, abi: scrollOracleAbi, functionName: 'isGalileo' } as const;
  expect(await bench.devnet.client.readContract(isGalileo)).toBe(true);
});

/** The most `preVerificationGas` that the guard lets pass for the operation with these limits. */
async function mostSigned(model: Model, { request }: Case, limits: GasLimits): Promise<bigint> {
  const parts = partsOf(model);
  const guard = createGivenLimitsCheck({ ...parts, estimator: createGasEstimator(parts), clock: { now: () => 0 } });
  const check = (preVerificationGas: bigint) =>
    guard.check({
      ...request,
      operation: { ...request.operation, gas: { ...limits, preVerificationGas } },
      payment: 'sponsored',
      complete: (gas) => gas,
    });
  const refused = await check(1n << 39n);
  if (refused.ok || refused.refusal.field !== 'preVerificationGas') throw new Error(JSON.stringify(refused));
  const most = BigInt(refused.refusal.details?.max ?? '');
  expect(await check(most)).toMatchObject({ ok: true });
  return most;
}

/** Limits that a sender may give and its bundler need not send with the bundle: nothing checks that a transaction has them. */
const excess = { callGasLimit: 90_000n, verificationGasLimit: 140_000n };
function excessive(limits: GasLimits): GasLimits {
  return {
    ...limits,
    callGasLimit: limits.callGasLimit + excess.callGasLimit,
    verificationGasLimit: limits.verificationGasLimit + excess.verificationGasLimit,
  };
}

/** A quarter of what is no data (43,000 gas, and 7,500 on Monad), and 5,000. */
const room = (model: Model) => (model === 'monad' ? 12_625n : 10_750n) + 5_000n;

const attacked: readonly (readonly [model: Model, oracle: string | undefined])[] = [
  ['none', undefined],
  ['op-stack', 'StandInIsthmusOracle'],
  ['mantle', 'StandInMantleOracle'],
  ['arbitrum', undefined],
  ['scroll', undefined],
  ['linea', undefined],
  ['monad', undefined],
];

describe.each(attacked)('a sender that bundles on a chain of %s (%s)', (model, oracle) => {
  let subject: Case;
  let own: GasEstimate;
  beforeAll(async () => {
    if (oracle !== undefined) await placeStandIn(bench, oracle, gasPriceOracle);
    subject = await deployedCase();
    own = await estimate(model, subject);
  });

  test('is signed the room for other bundlers and the data fee once more, and nothing beyond', async () => {
    const most = await mostSigned(model, subject, own.limits);
    // A quarter of the gas that is not used counts on Monad, which our own limits bound.
    const unused = model === 'monad' ? own.limits.preVerificationGas / 4n : 0n;
    expect(most - own.limits.preVerificationGas).toBeLessThanOrEqual(room(model) + own.dataGas + unused);
  });

  test('is signed no more for limits that it neither needs nor sends', async () => {
    const modest = await mostSigned(model, subject, own.limits);
    expect(await mostSigned(model, subject, excessive(own.limits))).toBeLessThanOrEqual(modest + modest / 50n);
  });
});

describe('Monad, which charges the gas limit of a bundle', () => {
  test('pays a sender that sends the least gas its bundle lands with little above that', async () => {
    const subject = await deployedCase();
    const own = await estimate('monad', subject);
    const most = await mostSigned('monad', subject, excessive(own.limits));
    const limits = { ...own.limits, preVerificationGas: most };
    const signed = packUserOperation(await signCase(bench, subject, limits));
    const gasLimit = await bench.devnet.client.estimateGas({
      account: bench.bundler,
      to: subject.request.entryPoint,
      data: encodeFunctionData({
        abi: entryPoint07Abi,
        functionName: 'handleOps',
        args: [[signed], bench.bundler.address],
      }),
    });
    const { actualGasUsed } = await land(bench, subject, limits);
    // The room of every chain, and what our own limits have above the need.
    const { callGasLimit, verificationGasLimit, paymasterVerificationGasLimit } = own.limits;
    const margins = (callGasLimit + verificationGasLimit + paymasterVerificationGasLimit) / 5n;
    expect(actualGasUsed - gasLimit).toBeLessThan(room('monad') + own.limits.preVerificationGas / 4n + margins);
  });

  test('has the gas of our own limits in preVerificationGas that is not used, and the bundler loses nothing', async () => {
    const { owner } = await deployedCase();
    const subject = await makeCase(bench, { version: '0.7', owner }, [puzzleCall(bench, 'fill', [60n])]);
    const own = await estimate('monad', subject);
    const { callGasLimit, verificationGasLimit, paymasterVerificationGasLimit, paymasterPostOpGasLimit } = own.limits;
    const { actualGasUsed, receipt } = await land(bench, subject, own.limits);
    const limits = callGasLimit + verificationGasLimit + paymasterVerificationGasLimit + paymasterPostOpGasLimit;
    // What the EntryPoint did not meter of the bundle, with all limits in its place of what was used of them.
    const metered = actualGasUsed - own.limits.preVerificationGas;
    const gasLimit = receipt.gasUsed - metered + limits;
    expect(actualGasUsed).toBeGreaterThanOrEqual(gasLimit);
    expect(actualGasUsed).toBeLessThan(gasLimit + gasLimit / 8n);
  });
});
