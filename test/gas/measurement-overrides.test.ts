import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callGasProbeCode } from '../../core/gas/simulation/call-gas-probe.generated.ts';
import { withLimits } from '../../core/gas/simulation/estimation-context.ts';
import { measurementOverrides } from '../../core/gas/simulation/plan-measurement.ts';
import { codeInFull } from '../../core/gas/simulation/simulation-code.ts';
import { type EstimationBench, makeCase, startEstimationBench } from '../support/estimation/estimation-bench.ts';

const abi = parseAbi([
  'function senderCreator() view returns (address)',
  'function getDomainSeparatorV4() view returns (bytes32)',
]);

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());

test.each(['senderCreator', 'getDomainSeparatorV4'] as const)(
  'accounts and factories that ask the EntryPoint 0.8 for %s are told what they are on chain',
  async (functionName) => {
    const { request } = await makeCase(bench, { version: '0.8' }, []);
    const { entryPoint: to } = request;
    const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n, ...request.paymasterGas };
    const { entryPoint: code } = codeInFull('0.8', '0x');
    const overrides = measurementOverrides(withLimits(request, gas), code, bench.devnet.chainId);
    const data = encodeFunctionData({ abi, functionName });
    const simulated = await bench.client.request({
      method: 'eth_call',
      params: [{ to, data }, 'latest', { ...overrides, [to]: { ...overrides[to], code: callGasProbeCode } }],
    });
    const { data: onChain } = await bench.client.call({ to, data });
    expect(simulated).toBe(onChain);
  },
);
