import type { PaymasterStub } from '../../domain/paymaster-data.ts';
import { accept } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { SponsorProfile } from '../../management/paymasters/sponsor-profile.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import { paymasterLimits } from '../gas/find-gas-limits.ts';
import { stubGrant } from '../grant/stub-grant.ts';
import type { Granted } from '../permission/cap-cost.ts';
import type { Identified } from '../request/identify.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import { contractData } from './sign-paymaster-data.ts';

/** A stub to answer with, except its decision's id. */
export type UndecidedStub = Omit<PaymasterStub, 'decisionId'>;

/** The limits that are known before an estimate: those that were sent, and the paymaster's own. */
export const takeGasSoFar: Step<Asked & Identified & ReadOperation & { readonly grant: Grant }, WithGas> = ({
  contract,
  operation,
  givenGas,
  grant,
}) => {
  const gas = {
    callGasLimit: givenGas.callGasLimit ?? 0n,
    verificationGasLimit: givenGas.verificationGasLimit ?? 0n,
    preVerificationGas: givenGas.preVerificationGas ?? 0n,
    ...paymasterLimits(givenGas, contract.family.paymasterGasLimits(grant.mode)),
  };
  const bare: UserOperation = operation;
  return accept({ operation: { ...bare, gas } });
};

function sponsorOf({ paymaster, chosen }: SponsorProfile) {
  return { sponsorName: chosen?.author ?? paymaster.name, ...omitAbsent({ sponsorIcon: chosen?.icon }) };
}

/** Paymaster data to estimate with, which no paymaster accepts. */
export const makeStub: Step<Asked & Identified & Granted, { readonly answer: UndecidedStub }> = ({
  profile,
  contract: { family, place },
  operation,
  grant,
}) => {
  const { entryPointVersion, gas } = operation;
  const paymasterAndData = family.stub(place, operation, stubGrant(grant));
  return accept({
    answer: {
      kind: 'stub',
      mode: grant.mode,
      ...(grant.mode === 'SPONSORED' ? sponsorOf(profile) : {}),
      entryPointVersion,
      paymaster: place.address,
      paymasterAndData,
      paymasterData: contractData(paymasterAndData, entryPointVersion),
      paymasterVerificationGasLimit: gas.paymasterVerificationGasLimit,
      paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit,
    },
  });
};
