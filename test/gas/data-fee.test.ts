import { parseGwei } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { UserOperation } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { GasEstimate } from '../../core/gas/estimator.ts';
import { nodeInterface } from '../../core/gas/fees/fee-models.ts';
import { gasPriceOracle } from '../../core/gas/fees/find-fee-model.ts';
import { createGivenLimitsCheck } from '../../core/gas/given-limits-check.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import {
  type Case,
  type EstimationBench,
  land,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';

const standInsSource = new URL('contracts/DataFees.sol', import.meta.url).pathname;

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
  const standIns = compileSolidity(standInsSource);
  const oracles = { StandInGasPriceOracle: gasPriceOracle, StandInNodeInterface: nodeInterface } as const;
  for (const [name, address] of Object.entries(oracles)) {
    const bytecode = standIns.get(name)?.runtimeBytecode;
    if (bytecode === undefined) throw new Error(`${name} did not compile.`);
    await bench.devnet.client.setCode({ address, bytecode });
  }
});
afterAll(() => bench.close());

type Kind = NonNullable<ChainConfig['dataFee']>;

/** By its code alone: a client of its own has not asked for it before. */
function estimateWithout({ request }: Case) {
  const { dataFee: _, ...config } = bench.config;
  return createGasEstimator({ client: createChainClient(config), config }).estimate(request);
}

function estimateWith(dataFee: Kind, { request }: Case, fees: Partial<UserOperation> = {}) {
  const estimator = createGasEstimator({ client: bench.client, config: { ...bench.config, dataFee } });
  return estimator.estimate({ ...request, operation: { ...request.operation, ...fees } });
}

function acceptedEstimate(result: Result<GasEstimate>): GasEstimate {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

describe.each(tabledEntryPoints)('an operation of EntryPoint %s on a layer 2', (version) => {
  let short: Case;
  let long: Case;
  let unlike: bigint;
  beforeAll(async () => {
    short = await makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x'])]);
    long = await makeCase(bench, { version, owner: short.owner }, [
      puzzleCall(bench, 'store', [`0x${'ab'.repeat(3_200)}`]),
    ]);
    unlike = acceptedEstimate(await estimateWith('none', short)).limits.preVerificationGas;
  });

  test('pays the fee of the OP stack where its oracle has code, and none where it has not, without a setting', async () => {
    const limitsOf = async (estimate: Promise<Result<GasEstimate>>) => acceptedEstimate(await estimate).limits;
    const known = await limitsOf(estimateWith('op-stack', short));
    expect(await limitsOf(estimateWithout(short))).toEqual(known);
    expect(known.preVerificationGas).toBeGreaterThan(unlike);
    const address = gasPriceOracle;
    const bytecode = await bench.devnet.client.getCode({ address });
    await bench.devnet.client.setCode({ address, bytecode: '0x' });
    try {
      expect((await limitsOf(estimateWithout(short))).preVerificationGas).toBe(unlike);
    } finally {
      await bench.devnet.client.setCode({ address, bytecode: bytecode ?? '0x' });
    }
  });

  test('pays no data fee where the chain has none', async () => {
    expect(acceptedEstimate(await estimateWith('none', short)).dataGas).toBe(0n);
  });

  test('of Arbitrum has the gas for its data in preVerificationGas, byte for byte, and lands', async () => {
    const one = acceptedEstimate(await estimateWith('arbitrum', short));
    expect(one.limits.preVerificationGas).toBe(unlike + one.dataGas);
    const other = acceptedEstimate(await estimateWith('arbitrum', long));
    // 7 gas a byte and a quarter on top; the longer call is 3,200 bytes longer, give or take one word of padding.
    const growth = other.dataGas - one.dataGas;
    expect(growth).toBeGreaterThanOrEqual((3_200n * 7n * 5n) / 4n - 1n);
    expect(growth).toBeLessThanOrEqual((3_232n * 7n * 5n) / 4n + 1n);
    const landed = await makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x'])]);
    const { limits, dataGas: forData } = acceptedEstimate(await estimateWith('arbitrum', landed));
    const outcome = await land(bench, landed, limits);
    expect(outcome.success).toBe(true);
    expect(outcome.actualGasUsed).toBeGreaterThanOrEqual(outcome.receipt.gasUsed + forData);
  });

  test('of the OP stack has the fee for its data in preVerificationGas, at the price it pays, and lands', async () => {
    const subject = await makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x'])]);
    const estimate = acceptedEstimate(await estimateWith('op-stack', subject));
    if (estimate.dataFee.kind !== 'wei') throw new Error('The fee is not in wei.');
    const { maxFeePerGas, maxPriorityFeePerGas } = subject.request.operation;
    const price = [maxFeePerGas, maxPriorityFeePerGas + estimate.dataFee.baseFeePerGas].sort((a, b) =>
      a < b ? -1 : 1,
    )[0];
    if (price === undefined) throw new Error('There is no price.');
    expect(estimate.dataGas * price).toBeGreaterThanOrEqual(estimate.dataFee.wei);
    expect((estimate.dataGas - 1n) * price).toBeLessThan(estimate.dataFee.wei);
    expect((await land(bench, subject, estimate.limits)).success).toBe(true);
  });

  test('of the OP stack needs twice the gas for its data at half the price', async () => {
    const at = async (gwei: string) => {
      const fee = parseGwei(gwei);
      return acceptedEstimate(await estimateWith('op-stack', long, { maxFeePerGas: fee, maxPriorityFeePerGas: fee }))
        .dataGas;
    };
    const difference = 2n * (await at('0.002')) - (await at('0.001'));
    expect(difference).toBeGreaterThanOrEqual(0n);
    expect(difference).toBeLessThanOrEqual(2n);
  });

  test('of the OP stack is guarded at its own price, whatever price was remembered', async () => {
    const config = { ...bench.config, dataFee: 'op-stack' } as const;
    const estimator = createGasEstimator({ client: bench.client, config });
    const guard = createGivenLimitsCheck({ client: bench.client, config, estimator, clock: { now: () => 0 } });
    const at = async (fee: bigint) => {
      const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
      return { fees, gas: acceptedEstimate(await estimateWith('op-stack', long, fees)).limits };
    };
    const cheap = await at(parseGwei('0.00001'));
    const dear = await at(parseGwei('10'));
    const check = ({ fees, gas }: typeof cheap) =>
      guard.check({
        ...long.request,
        operation: { ...long.request.operation, ...fees, gas },
        payment: 'sponsored',
        complete: (limits) => limits,
      });
    expect(await check(cheap)).toMatchObject({ ok: true });
    expect(await check(dear)).toMatchObject({ ok: true });
    expect(await check({ fees: dear.fees, gas: cheap.gas })).toMatchObject({
      refusal: { reason: 'LIMIT_EXCEEDED', field: 'preVerificationGas' },
    });
  });

  test('needs no gas for its data when it pays for no gas at all: it is to be relayed', async () => {
    const free = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    const [paid, unpaid] = [await estimateWith('op-stack', short), await estimateWith('op-stack', short, free)];
    if (!paid.ok || !unpaid.ok) throw new Error('An operation could not be estimated.');
    expect(unpaid.value.dataGas).toBe(0n);
    expect(paid.value.dataGas).toBeGreaterThan(0n);
  });
});

test('a chain without the contract that is asked is named as the cause', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'store', ['0x'])]);
  const id = await bench.devnet.client.snapshot();
  await bench.devnet.client.setCode({ address: gasPriceOracle, bytecode: '0x' });
  const result = await estimateWith('op-stack', subject);
  await bench.devnet.client.revert({ id });
  expect(result).toMatchObject({
    refusal: { reason: 'CHAIN_UNAVAILABLE', message: expect.stringContaining('dataFee') },
  });
});
