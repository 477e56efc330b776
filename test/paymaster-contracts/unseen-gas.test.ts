import { type Address, getAddress, maxUint256 } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { verificationMarginBasisPoints } from '../../core/gas/simulation/estimation-context.ts';
import { accepted } from '../../server/accepted.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { approveCall, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { mintTo } from '../support/paymaster-contracts/send-sponsored.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type FamiliesService, startFamiliesService } from './families-service.ts';

/** Families whose contract stops at a stub's signature, so that no estimate with a stub sees all of its validation. */
const families = [...paymasterContractFamilies.values()].flatMap(({ name, modes: [mode], verificationGas }, index) =>
  verificationGas === undefined || mode === undefined
    ? []
    : [{ name, mode, verificationGas: verificationGas(gasSchedules.osaka), version: `1.${index}.0` }],
);

const stranger: Address = '0x00000000000000000000000000000000000000b0';

let salt = 100n;
let service: FamiliesService;
beforeAll(async () => {
  service = await startFamiliesService(
    (deployed, tokenRecipient) =>
      families.map(({ name, version }) => ({
        version,
        family: name,
        address: deployed.get(name)?.contract.address ?? stranger,
        tokenRecipient,
      })),
    silentLogger,
  );
});
afterAll(() => service.close());

describe.each(rowsOfRun(families, 2))(
  'verification gas that a client estimated with a stub of $name',
  ({ name, mode, verificationGas, version }) => {
    test('is raised where the answer can say so, and refused where the limits are to stay', async () => {
      const { core, lab } = service;
      const { devnet } = lab;
      const token = tokenWith(devnet, 18);
      const increment = targetCall(devnet, 'increment');
      const { apiKey } = await service.paymaster(version);
      const spender = service.deployed.get(name)?.contract.address ?? stranger;
      const calls = mode === 'ERC20' ? [approveCall(token, spender, maxUint256), increment] : [increment];
      salt += 1n;
      const built = await service.build('0.6', salt, calls);
      if (mode === 'ERC20') await mintTo(lab, token.address, built.sender);
      const context = { mode, ...(mode === 'ERC20' ? { tokenInfo: { feeTokenAddress: token.address } } : {}) };
      const { gas } = await service.sponsor(service.ask(apiKey, built, context));
      const measured =
        ((gas.verificationGasLimit - verificationGas.unseen) * 10_000n) / (10_000n + verificationMarginBasisPoints);
      const operation: DevUserOperation = { ...built, ...ownLimits(gas), verificationGasLimit: measured + 1_000n };

      const asked = { ...service.ask(apiKey, operation, context), userOperation: toRpcUserOperation(operation) };
      const kept = await core.sponsorUserOperation({
        ...asked,
        context: { ...asked.context, calculateGasLimits: false },
      });
      expect(kept).toMatchObject({
        ok: false,
        refusal: { reason: 'ESTIMATION_FAILED', field: 'verificationGasLimit' },
      });

      const entryPoint = devnet.entryPoints['0.6'];
      const { signed, gasEstimated } = accepted(await core.getPaymasterData({ ...asked, entryPoint }));
      expect(gasEstimated).toBe(true);
      const unseen = signed.gas.verificationGasLimit - operation.verificationGasLimit;
      expect(unseen).toBe(verificationGas.unseen);
      const outcome = await service.land(built, signed);
      expect(outcome).toMatchObject({ success: true, paymaster: getAddress(signed.paymaster) });
    });
  },
);

function ownLimits({ callGasLimit, preVerificationGas }: GasLimits) {
  return { callGasLimit, preVerificationGas };
}
