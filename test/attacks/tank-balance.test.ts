import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { toRpcUserOperation } from '../../clients/cli/dev/user-operation/dev-user-operation.ts';
import { fillTank, newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { callRpc, type Rpc, sponsored } from '../support/interface/rpc-calls.ts';
import { useService } from '../support/interface/use-service.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';

const service = useService();
const funds = 1_234_567_890_123n;

test('a stranger is not told what a gas tank has; its owner is', async () => {
  const { devnet } = service();
  const paymaster = await openPaymaster(service(), '0.7');
  const wallet = await walletWith(devnet, parseEther('1'));
  await chooseWallet(paymaster, wallet);
  await fillTank(devnet, '0.7', wallet, funds);
  const operation = toRpcUserOperation(
    await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]),
  );
  const asks = [
    await callRpc(paymaster.rpcUrl, [operation, { ...sponsored, calculateGasLimits: true }]),
    await callRpc(
      paymaster.rpcUrl,
      [operation, devnet.entryPoints['0.7'], `0x${devnet.chainId.toString(16)}`, {}],
      'pm_getPaymasterStubData',
    ),
  ];
  for (const { json } of asks) {
    const text = JSON.stringify(json);
    expect(text).toContain('INSUFFICIENT_FUNDS');
    expect(text).toContain('needed');
    expect(text).not.toContain(funds.toString());
    expect(text).not.toContain('available');
  }
  const { decisionId = '' } = (asks[0]?.json as Rpc | undefined)?.error?.data ?? {};
  const { apiKey, management } = paymaster;
  const read = async () => JSON.stringify((await management.getDecision({ apiKey, decisionId })).trace);
  await expect.poll(() => read().catch(() => ''), { timeout: 5_000 }).toContain(`${funds} wei available`);
});
