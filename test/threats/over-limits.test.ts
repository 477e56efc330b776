import { Pool } from 'undici';
import { numberToHex } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { callRpc, givenLimits, newOperation, type Rpc, resultOf, sponsored } from '../support/interface/rpc-calls.ts';
import { callManagement, dataOf } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import { repeatsOfRun, rowsOfRun } from '../support/run/rows-of-run.ts';

const requests = repeatsOfRun(100, 1_000);
const allowed = 37;

/** Threat 6: a policy's limit is never passed, however many ask at once; over HTTP, with a tank that would carry them all. */
describe(`a policy that allows 37 operations and ${requests} requests at once`, () => {
  const service = useService();
  let operation: Readonly<Record<string, unknown>>;
  let worstCase: bigint;

  beforeAll(async () => {
    operation = await newOperation(service().devnet, '0.7');
    const { authToken } = await service().issueAccount();
    const { rpcUrl } = await service().fundedPaymaster(authToken, '0.7', 2);
    const signed = resultOf(await callRpc(rpcUrl, [operation, sponsored]));
    const gas = [...Object.values(givenLimits), signed.paymasterVerificationGasLimit, signed.paymasterPostOpGasLimit];
    worstCase =
      gas.reduce<bigint>((sum, limit) => sum + BigInt(String(limit)), 0n) * BigInt(String(operation.maxFeePerGas));
  });

  /** USD for so many operations, where a coin is worth `coin` USD, rounded up to a millionth each. */
  const inUsd = (operations: number, coin: bigint): string => {
    const each = (worstCase * coin * 1_000_000n + 10n ** 18n - 1n) / 10n ** 18n;
    const micros = (each * BigInt(operations)).toString().padStart(7, '0');
    return `${micros.slice(0, -6)}.${micros.slice(-6)}`;
  };

  const kinds = [
    ['OPERATIONS', () => String(allowed)],
    ['WEI', () => (worstCase * BigInt(allowed) + worstCase - 1n).toString()],
    ['USD', () => inUsd(allowed, nativeUsd())],
  ] as const;

  /** The fixed price of the development chain's coin. */
  const nativeUsd = (): bigint => {
    const [source] = service().config.chains[0]?.nativePrice.sources ?? [];
    if (source?.kind !== 'fixed') throw new Error('The development chain has a fixed price.');
    return BigInt(source.usd);
  };

  describe.each(rowsOfRun(['SENDER', 'TOTAL'], 1))('per %s', (per) => {
    test.each(kinds)('in %s: exactly 37 are signed, the others are LIMIT_EXCEEDED', async (unit, most) => {
      const { authToken } = await service().issueAccount();
      const { rpcUrl, apiKey } = await service().fundedPaymaster(authToken, '0.7', 3);
      const limits = [{ per, window: 'DAY', unit, max: most() }];
      dataOf(await callManagement(service(), 'PUT', '/policy', { headers: { authToken, apiKey }, json: { limits } }));

      const { origin, pathname } = new URL(rpcUrl);
      const pool = new Pool(origin, { connections: 100 });
      const ask = async (index: number): Promise<Rpc> => {
        const params = [{ ...operation, nonce: numberToHex(index) }, sponsored];
        const body = JSON.stringify({ jsonrpc: '2.0', id: index, method: 'pm_sponsorUserOperation', params });
        const answer = await pool.request({ method: 'POST', path: pathname, body });
        return (await answer.body.json()) as Rpc;
      };
      const answers = await Promise.all(Array.from({ length: requests }, (_, index) => ask(index)));
      await pool.close();
      const signed = answers.filter(({ result }) => result !== undefined);
      const reasons = new Set(answers.flatMap(({ error }) => (error === undefined ? [] : [error.data?.reason])));
      expect([signed.length, [...reasons]]).toEqual([allowed, ['LIMIT_EXCEEDED']]);
    });
  });
});
