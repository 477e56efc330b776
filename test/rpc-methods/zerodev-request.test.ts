import { expect, test } from 'vitest';
import type { PaymasterDataRequest } from '../../core/domain/paymaster-data.ts';
import { refusal } from '../support/gateway/fake-core.ts';
import { rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const entryPointAddress = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
const token = `0x${'70'.repeat(20)}`;
const userOp = { sender: `0x${'5e'.repeat(20)}`, callGasLimit: '0x1' };

/** Asks as `sponsorUserOperation` of `@zerodev/sdk` does; what the core was asked, and the error. */
async function ask(request: object) {
  const asked: PaymasterDataRequest[] = [];
  const getPaymasterData = async (seen: PaymasterDataRequest) => {
    asked.push(seen);
    return refusal('INSUFFICIENT_FUNDS');
  };
  const { url } = await startTestGateway({ core: { getPaymasterData } });
  const params = [{ userOp, entryPointAddress, shouldOverrideFee: false, shouldConsume: true, ...request }];
  const json = { jsonrpc: '2.0', id: 1, method: 'zd_sponsorUserOperation', params };
  const { body } = await send(`${url}${rpcPath}`, 'POST', { json });
  return { asked, error: (body as { error?: { message: string; data?: { reason: string } } }).error };
}

test('is sponsored without a token, and its limits are kept only where they are of use', async () => {
  const { asked } = await ask({ chainId: 31_337 });
  expect(asked).toMatchObject([
    {
      entryPoint: entryPointAddress,
      userOperation: { callGasLimit: '0x1' },
      context: { mode: 'SPONSORED', calculateGasLimits: true, keepsGivenLimits: true },
    },
  ]);
});

test('is paid in the token that it names', async () => {
  const { asked } = await ask({ chainId: 31_337, gasTokenData: { tokenAddress: token } });
  expect(asked).toMatchObject([{ context: { mode: 'ERC20', tokenInfo: { feeTokenAddress: token } } }]);
});

test('is refused for another chain than that of the address', async () => {
  const { asked, error } = await ask({ chainId: 1 });
  expect(asked).toEqual([]);
  expect(error?.data?.reason).toBe('CHAIN_NOT_SUPPORTED');
});
