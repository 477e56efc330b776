import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { incrementCall } from '../../server/dev/demo-operations.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { buildUserOperation, signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation } from '../../server/dev/user-operation/entry-point.ts';
import { callRpc, newOperation, resultOf, sponsored } from '../support/interface/rpc-calls.ts';
import { useService } from '../support/interface/use-service.ts';
import { freshKey } from '../support/service/running-service.ts';

const minutes = 60;
/** The operator's maximum in development. */
const maxSeconds = 3_600;

/** Threat 11: a signature’s window is the service’s choice, bounded, and fits the chain’s clock whichever way ours is off. */
describe.each([
  ['in step with', 0],
  ['four minutes behind', -4 * minutes],
  ['four minutes ahead of', 4 * minutes],
])('with our clock %s the chain’s', (_name, skewSeconds) => {
  const service = useService({ clock: { now: () => Date.now() + skewSeconds * 1000 } });
  let rpcUrl: string;
  beforeAll(async () => {
    const { authToken } = await service().issueAccount();
    rpcUrl = (await service().fundedPaymaster(authToken, '0.7')).rpcUrl;
  });

  test.each([undefined, 60, 600])(
    'expiryDuration %s: the window holds the chain’s time and ends',
    async (expiryDuration) => {
      const params = [await newOperation(service().devnet, '0.7'), { ...sponsored, expiryDuration }];
      const { paymasterData, validUntil } = resultOf(await callRpc(rpcUrl, params));
      const { timestamp } = await service().devnet.client.getBlock();
      // Mode (1 byte), validUntil (6), validAfter (6).
      const [until, after] = [String(paymasterData).slice(4, 16), String(paymasterData).slice(16, 28)].map((digits) =>
        Number.parseInt(digits, 16),
      );
      expect(until).toBe(validUntil);
      expect(after).toBeGreaterThan(0);
      expect(after).toBeLessThan(Number(timestamp));
      expect(until).toBeGreaterThanOrEqual(Number(timestamp) + 30);
      // By neither clock longer than the operator's maximum.
      expect(until).toBeLessThanOrEqual(Number(timestamp) + maxSeconds);
      expect(until).toBeLessThanOrEqual(Date.now() / 1000 + skewSeconds + maxSeconds);
    },
  );

  test('an operation that is sponsored now lands', async () => {
    const { devnet } = service();
    const owner = privateKeyToAccount(freshKey());
    const built = await buildUserOperation(devnet, { version: '0.7', owner: owner.address }, [incrementCall(devnet)]);
    const context = { ...sponsored, calculateGasLimits: true };
    const signed = resultOf(await callRpc(rpcUrl, [toRpcUserOperation(built), context]));
    const paid = {
      ...built,
      callGasLimit: BigInt(String(signed.callGasLimit)),
      verificationGasLimit: BigInt(String(signed.verificationGasLimit)),
      preVerificationGas: BigInt(String(signed.preVerificationGas)),
      paymasterAndData: signed.paymasterAndData as `0x${string}`,
    };
    const bundler = privateKeyToAccount(deriveDevKey(0));
    const outcome = await handleUserOperation(devnet, await signUserOperation(devnet, paid, owner), bundler);
    expect(outcome.success).toBe(true);
  });
});

/** A wrong clock would give signatures a wrong end. */
describe.each([
  ['a year ahead of', 365 * 24 * 60 * minutes, 'older'],
  ['six minutes ahead of', 6 * minutes, 'older'],
  ['six minutes behind', -6 * minutes, 'newer'],
])('with our clock %s the chain’s', (_name, skewSeconds, way) => {
  const service = useService({ clock: { now: () => Date.now() + skewSeconds * 1000 } });

  test('nothing is signed or quoted, and the readiness says why', async () => {
    const { authToken } = await service().issueAccount();
    const { rpcUrl } = await service().fundedPaymaster(authToken, '0.7');
    const operation = await newOperation(service().devnet, '0.7');
    for (const context of [sponsored, { mode: 'ERC20', tokenInfo: {} }]) {
      const { status, json } = await callRpc(rpcUrl, [operation, context]);
      expect([status, json]).toMatchObject([503, { error: { data: { reason: 'CHAIN_UNAVAILABLE' } } }]);
      expect(JSON.stringify(json)).toMatch(new RegExp(`the newest block is \\d+ seconds ${way} than this machine`));
    }
    const ready = await fetch(`${service().adminUrl}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain(`seconds ${way} than this machine`);
  });
});
