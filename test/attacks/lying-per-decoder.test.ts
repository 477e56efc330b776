import { type Address, encodeFunctionData, parseEther } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { type AccountMethod, accountMethods } from '../support/accounts/account-kinds.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import type { LabPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { claimingOperation, deployLiar } from './lying-account.ts';

const service = useProductionService();
const stranger: Address = `0x${'00'.repeat(20)}`;

/** Asks for an account that says it is of the kind of a method, and writes ten slots whatever it is told. */
async function askFor(paymaster: LabPaymaster, sender: Address, { account, version, encode }: AccountMethod) {
  const { devnet } = service();
  const increment = encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' });
  const callData = encode([{ target: devnet.target.address, value: 0n, data: increment }]);
  const operation = await claimingOperation(devnet, paymaster.version, { sender, callData });
  const sponsorshipInfo = { webhookData: {}, smartAccountInfo: { name: account, version } };
  const context = { mode: 'SPONSORED', sponsorshipInfo };
  return askRpc(paymaster.rpcUrl, 'pm_sponsorUserOperation', [toRpcUserOperation(operation), context]);
}

describe.each(tabledEntryPoints)('an account of EntryPoint %s that takes no notice of its callData', (version) => {
  const methods = accountMethods.filter(({ entryPointVersion }) => entryPointVersion === version);
  let liar: Address;
  let paymaster: LabPaymaster;
  beforeAll(async () => {
    liar = await deployLiar(service().devnet, 10, stranger);
    paymaster = await fundedTank(service(), { family: version, amount: parseEther('100') });
  });

  test.each(methods.map((method) => [method.account, method.version, method.method, method] as const))(
    'is not known as %s %s, whose %s it is told to be sponsored for',
    async (_account, _version, _method, method) => {
      await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { accounts: 'KNOWN' } });
      expect(await askFor(paymaster, liar, method)).toMatchObject({ httpStatus: 422, reason: 'ACCOUNT_NOT_KNOWN' });
      await paymaster.management.setPolicy({ apiKey: paymaster.apiKey, policy: { accounts: 'ANY' } });
      expect((await askFor(paymaster, liar, method)).httpStatus).toBe(200);
    },
  );
});
