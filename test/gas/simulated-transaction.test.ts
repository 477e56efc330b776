import { type Address, concat, getAddress, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { EstimationRequest } from '../../core/gas/estimator.ts';
import { createOperationCheck } from '../../core/gas/simulation/check-operation-runs.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { type EstimationBench, makeCase, send, startEstimationBench } from '../support/estimation/estimation-bench.ts';

let bench: EstimationBench;
let suspicious: Address;
beforeAll(async () => {
  bench = await startEstimationBench();
  const compiled = compileSolidity(new URL('contracts/Suspicious.sol', import.meta.url).pathname).get('Suspicious');
  if (compiled === undefined) throw new Error('The contract did not compile.');
  const { contractAddress } = await send(bench.devnet, bench.bundler, { data: compiled.creationBytecode });
  if (!contractAddress) throw new Error('The contract was not deployed.');
  suspicious = contractAddress;
});
afterAll(() => bench.close());

/** An operation whose account and paymaster are contracts that refuse what is no transaction of someone who pays. */
async function suspiciousRequest(version: EntryPointVersion): Promise<EstimationRequest> {
  const { request } = await makeCase(bench, { version }, []);
  return {
    ...request,
    operation: { ...request.operation, sender: suspicious, initCode: '0x', nonce: 0n, callData: '0x12345678' },
    stub: ({ gas }) => {
      const limits: readonly Hex[] = [gas.paymasterVerificationGasLimit, gas.paymasterPostOpGasLimit].map((limit) =>
        numberToHex(limit, { size: 16 }),
      );
      return version === '0.6' ? suspicious : concat([suspicious, ...limits]);
    },
  };
}

describe.each(entryPointVersions)(
  'with EntryPoint %s, an account and a paymaster that look at their transaction',
  (version) => {
    test('see one of someone who pays more than the base fee', async () => {
      const request = await suspiciousRequest(version);
      const estimated = await createGasEstimator(bench).estimate(request);
      if (!estimated.ok) throw new Error(JSON.stringify(estimated.refusal));
      const operation = { ...request.operation, gas: estimated.value.limits };
      const checked = await createOperationCheck(bench).simulate({ ...request, operation });
      expect(checked).toMatchObject({ ok: true, value: { success: true } });
    });

    test('do so as well where the operation pays no tip, and less than the base fee', async () => {
      const { operation, ...request } = await suspiciousRequest(version);
      const cheap = { ...operation, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n };
      expect(await createGasEstimator(bench).estimate({ ...request, operation: cheap })).toMatchObject({ ok: true });
    });

    test('see the one of a bundler that is named, whatever it owns', async () => {
      const [named, other] = ['b0', 'b1'].map((digits): Address => `0x${digits.repeat(20)}`) as [Address, Address];
      const config = { ...bench.config, allowedBundlers: [named, other] };
      const client = createChainClient(config);
      const senders: unknown[] = [];
      const request = (question: { method: string; params: [{ from: Address }] }) => {
        if (question.method === 'eth_call') senders.push(question.params[0].from);
        return client.request(question as never);
      };
      const estimator = createGasEstimator({ client: { ...client, request } as typeof client, config });
      expect(await estimator.estimate(await suspiciousRequest(version))).toMatchObject({ ok: true });
      expect(new Set(senders)).toEqual(new Set([getAddress(named)]));
    });
  },
);
