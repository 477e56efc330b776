import { type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { deployedReserve } from '../../core/evm/paymaster-contracts/biconomy/biconomy-sponsorship-0.7.ts';
import { costlyTokenReserve } from '../../core/evm/paymaster-contracts/biconomy/biconomy-token-0.7.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { withoutMargins } from '../support/estimation/estimation-corpus.ts';
import {
  approvedAhead,
  type BiconomyLab,
  customer,
  depositFor,
  startBiconomyLab,
} from '../support/paymaster-contracts/biconomy-lab.ts';
import { biconomyTable, openTerms } from '../support/paymaster-contracts/biconomy-table.ts';
import type { DeployedPaymaster } from '../support/paymaster-contracts/paymaster-lab.ts';
import {
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
  tryBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { deployVerifyingPaymaster } from '../support/paymaster-contracts/verifying-lab.ts';

/** Families of EntryPoint 0.7 whose contracts are no singletons, and what their limit has beyond need and margin. */
const families = [
  { name: 'verifying-paymaster-0.7', mode: 'SPONSORED', reserve: 0n },
  { name: 'biconomy-sponsorship-0.7', mode: 'SPONSORED', reserve: deployedReserve },
  { name: 'biconomy-token-0.7', mode: 'ERC20', reserve: costlyTokenReserve },
] as const;
/** `AA33` or `AA36`, as text or among the bytes of a `FailedOpWithRevert`. */
const refusedByPaymaster = /AA3[36]|4141333[36]/;

let lab: BiconomyLab;
const deployed = new Map<string, DeployedPaymaster>();
let salt = 5_000n;
beforeAll(async () => {
  lab = await startBiconomyLab();
  deployed.set('verifying-paymaster-0.7', await deployVerifyingPaymaster(lab, '0.7'));
  for (const row of biconomyTable) deployed.set(row.name, lab.row(row));
});
afterAll(() => lab.close());

describe.each(families)('the validation limit of $name', ({ name, mode, reserve }) => {
  test.each([0, 1_000, 10_000, 65_000])(
    'suffices for %i bytes of data and is close to what is needed',
    async (bytes) => {
      const paymaster = deployed.get(name);
      const token = lab.devnet.tokens[1]?.address;
      if (paymaster === undefined || token === undefined) throw new Error(`${name} is not deployed.`);
      const { contract, family } = paymaster;
      salt += 1n;
      const data: Hex = `0x${'ab'.repeat(bytes)}`;
      const made = await newAccountOperation(lab, paymaster, { mode, salt, target: lab.devnet.tokenRecipient, data });
      if (family.customerFunding === undefined) await setDeposit(lab, paymaster, parseEther('20'));
      if (family.customerFunding !== undefined) await depositFor(lab, contract, parseEther('10'));
      if (mode === 'ERC20') await mintTo(lab, token, made.sender);
      const ready = mode === 'ERC20' ? await approvedAhead(lab, made, token, contract.address) : made;
      const limits = family.paymasterGasLimits(mode, gasSchedules.osaka, ready);
      const gas: GasLimits = { ...ready.gas, callGasLimit: 500_000n, preVerificationGas: 2_700_000n, ...limits };
      const operation = { ...ready, gas };
      const signedTerms = openTerms(mode, customer(lab).address, token);
      const bundle = (given: GasLimits) => signForBundle(lab, paymaster, { ...operation, gas: given }, signedTerms);
      await tryBundle(lab, operation, await bundle(gas));
      const paymasterVerificationGasLimit = withoutMargins(limits.paymasterVerificationGasLimit, reserve);
      const short = await bundle({ ...gas, paymasterVerificationGasLimit });
      await expect(tryBundle(lab, operation, short)).rejects.toThrow(refusedByPaymaster);
    },
  );
});

test('without an operation the limits are those of the longest data that is accepted', () => {
  const callData: Hex = `0x${'00'.repeat(65_536)}`;
  for (const { name, modes, paymasterGasLimits } of paymasterContractFamilies.values()) {
    for (const mode of modes) {
      expect(paymasterGasLimits(mode, gasSchedules.osaka), name).toEqual(
        paymasterGasLimits(mode, gasSchedules.osaka, { callData, initCode: '0x' }),
      );
    }
  }
});
