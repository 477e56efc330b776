import { type Hex, parseAbi, slice, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import type { UserOperation } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { EstimationRequest, GasEstimator } from '../../core/gas/estimator.ts';
import {
  type Case,
  type EstimationBench,
  land,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';

let bench: EstimationBench;
let estimator: GasEstimator;
beforeAll(async () => {
  bench = await startEstimationBench();
  estimator = createGasEstimator({ client: bench.client, config: bench.config });
});
afterAll(() => bench.close());

async function refusalOf(request: EstimationRequest): Promise<Refusal> {
  const result = await estimator.estimate(request);
  if (result.ok) throw new Error('The estimate was not refused.');
  return result.refusal;
}

function changed(subject: Case, change: Partial<UserOperation>): EstimationRequest {
  return { ...subject.request, operation: { ...subject.request.operation, ...change } };
}

describe.each(entryPointVersions)('an operation of EntryPoint %s', (version) => {
  let deployed: Case;
  let fresh: Case;
  const factoryField = version === '0.6' ? 'initCode' : 'factory';
  beforeAll(async () => {
    const first = await makeCase(bench, { version }, []);
    const result = await estimator.estimate(first.request);
    if (!result.ok) throw new Error(result.refusal.message);
    await land(bench, first, result.value.limits);
    deployed = await makeCase(bench, { version, owner: first.owner }, [puzzleCall(bench, 'store', ['0x'])]);
    fresh = await makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x'])]);
  });

  test.each([
    ['failWithText', 'Error("the vault is closed")'],
    ['failWithCustomError', toFunctionSelector('Refused(address)')],
    ['failWithPanic', 'Panic(0x1)'],
    ['spin', 'none'],
  ] as const)('is refused with the decoded revert of its call: %s', async (functionName, revert) => {
    const subject = await makeCase(bench, { version, owner: deployed.owner }, [puzzleCall(bench, functionName)]);
    const refusal = await refusalOf(subject.request);
    expect(refusal).toMatchObject({ reason: 'ESTIMATION_FAILED', field: 'callData', details: { revert } });
  });

  test('is refused as AA25 for a nonce that is not the next one', async () => {
    const refusal = await refusalOf(changed(deployed, { nonce: deployed.request.operation.nonce + 1n }));
    expect(refusal).toMatchObject({ reason: 'ESTIMATION_FAILED', field: 'nonce', details: { aaCode: 'AA25' } });
  });

  test.skipIf(version === '0.9')('is refused as AA10 when it deploys an account that is there', async () => {
    const refusal = await refusalOf(changed(deployed, { initCode: fresh.request.operation.initCode }));
    expect(refusal).toMatchObject({ field: factoryField, details: { aaCode: 'AA10' } });
  });

  test.runIf(version === '0.9')('has its initCode left out when the account is there, and is told so', async () => {
    const { initCode } = fresh.request.operation;
    const accountSlots = { slots: [], beaconSlot: `0x${'00'.repeat(32)}` } as const;
    const result = await estimator.estimate({ ...changed(deployed, { initCode }), accountSlots });
    const { sender } = deployed.request.operation;
    if (!result.ok) throw new Error(result.refusal.message);
    expect(result.value.account).toMatchObject({
      code: await bench.devnet.client.getCode({ address: sender }),
      wasThere: true,
    });
    const made = await estimator.estimate({ ...fresh.request, accountSlots });
    expect(made.ok && made.value.account?.wasThere).toBeUndefined();
  });

  test('is refused as AA20 when its account is not there and not deployed by it', async () => {
    const refusal = await refusalOf(changed(fresh, { initCode: '0x' }));
    expect(refusal).toMatchObject({ field: 'sender', details: { aaCode: 'AA20' } });
  });

  test('is refused as AA13 when its factory reverts', async () => {
    const initCode: Hex = `${slice(fresh.request.operation.initCode, 0, 20)}deadbeef`;
    const refusal = await refusalOf(changed(fresh, { initCode }));
    expect(refusal).toMatchObject({ field: factoryField, details: { aaCode: 'AA13' } });
  });

  test('is refused as AA14 when its factory makes another account', async () => {
    const other = await makeCase(bench, { version }, []);
    const refusal = await refusalOf(changed(fresh, { initCode: other.request.operation.initCode }));
    expect(refusal).toMatchObject({ field: factoryField, details: { aaCode: 'AA14' } });
  });

  test('is refused as AA23 with the reason when its account rejects the form of the signature', async () => {
    const refusal = await refusalOf(changed(deployed, { signature: '0x1234' }));
    expect(refusal).toMatchObject({ field: 'signature', details: { aaCode: 'AA23' } });
    expect(refusal.details?.revert).not.toBe('none');
  });

  test('is refused as AA30 when there is no paymaster at the address', async () => {
    const stub: EstimationRequest['stub'] = (operation) =>
      `0x${'12'.repeat(20)}${deployed.request.stub(operation).slice(42)}`;
    const refusal = await refusalOf({ ...deployed.request, stub });
    const field = version === '0.6' ? 'paymasterAndData' : 'paymaster';
    expect(refusal).toMatchObject({ field, details: { aaCode: 'AA30' } });
  });

  test('is refused when a fee does not fit what the EntryPoint takes', async () => {
    const refusal = await refusalOf(changed(deployed, { maxFeePerGas: 1n << 200n }));
    expect(refusal).toMatchObject({ field: 'maxFeePerGas', details: { aaCode: 'AA94' } });
  });

  test('is estimated with a well-formed signature of someone else', async () => {
    const signature = await bench.bundler.signMessage({ message: 'not the owner' });
    expect((await estimator.estimate(changed(deployed, { signature }))).ok).toBe(true);
  });

  test('leaves no trace on the chain', async () => {
    const { sender, nonce } = deployed.request.operation;
    await estimator.estimate(deployed.request);
    const nonceAfter = await bench.client.readContract({
      address: deployed.request.entryPoint,
      abi: parseAbi(['function getNonce(address, uint192) view returns (uint256)']),
      functionName: 'getNonce',
      args: [sender, 0n],
    });
    expect(nonceAfter).toBe(nonce);
  });
});

test('a long revert text with line breaks is quoted in one short line', async () => {
  const subject = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'failWithUglyText')]);
  const { message, details } = await refusalOf(subject.request);
  expect(details?.revert).toMatch(/^Error\("x{49} x{49} x+/);
  expect(details?.revert).not.toContain('\n');
  expect(message.length).toBeLessThan(300);
});

test('an EntryPoint that is not on the chain is named', async () => {
  const subject = await makeCase(bench, { version: '0.6' }, []);
  const entryPoint = '0x9999999999999999999999999999999999999999';
  const refusal = await refusalOf({ ...subject.request, entryPoint });
  expect(refusal.reason).toBe('CHAIN_UNAVAILABLE');
  expect(refusal.message).toContain(entryPoint);
});
