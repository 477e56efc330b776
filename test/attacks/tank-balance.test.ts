import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { callRpc, givenLimits, type Rpc, sponsored } from '../support/interface/rpc-calls.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const service = useProductionService();
/** The tanks of ours, and those that contracts keep. */
const families = [...paymasterContractFamilies.values()]
  .filter(({ name, customerFunding }) => name.startsWith('pimlico') || customerFunding !== undefined)
  .map(({ name }) => name);
const funds = 1_234_567_890_123n;

test.each(rowsOfRun(families, 3))('a stranger is not told what a gas tank of %s has; its owner is', async (family) => {
  const { devnet } = service();
  const { version, rpcUrl, apiKey, management } = await fundedTank(service(), { family, amount: funds });
  const operation = toRpcUserOperation(
    await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]),
  );
  const asks = [
    await callRpc(rpcUrl, [operation, { ...sponsored, calculateGasLimits: true }]),
    await callRpc(
      rpcUrl,
      [{ ...operation, ...givenLimits }, devnet.entryPoints[version], numberToHex(devnet.chainId), {}],
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
  const read = async () => JSON.stringify((await management.getDecision({ apiKey, decisionId })).trace);
  await expect
    .poll(() => read().catch(() => ''), { timeout: 5_000, interval: 100 })
    .toContain(`${funds} wei available`);
});
