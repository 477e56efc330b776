import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Hex } from 'viem';
import type { PaymasterStub } from '../../domain/paymaster-data.ts';
import { accept } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { wholePercent } from '../../domain/user-share.ts';
import { trailingData } from '../../evm/entry-point/paymaster-signature.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { Granted } from '../cost.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import { paymasterLimits, permitOf } from '../gas/find-gas-limits.ts';
import { nameOfPromise, stubGrant } from '../grant-sponsorship.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked, Step, UserPays } from '../run/steps.ts';
import { quoteKey } from '../tokens/keep-quote.ts';
import { contractData } from './sign-paymaster-data.ts';

/** A stub to answer with, except its decision's id. */
export type UndecidedStub = Omit<PaymasterStub, 'decisionId'>;

/** The limits known before an estimate: the client's, and the paymaster's own. */
export const takeGasSoFar: Step<Asked & Identified & ReadOperation & { readonly grant: Grant }, WithGas> = ({
  chain,
  contract,
  operation,
  givenGas,
  grant,
}) => {
  const prices = gasScheduleOf(chain.client);
  const needed = contract.family.paymasterGasLimits(grant.mode, prices, operation, permitOf(grant));
  const gas = {
    callGasLimit: givenGas.callGasLimit ?? 0n,
    verificationGasLimit: givenGas.verificationGasLimit ?? 0n,
    preVerificationGas: givenGas.preVerificationGas ?? 0n,
    ...paymasterLimits(givenGas, needed),
  };
  const bare: UserOperation = operation;
  return accept({ operation: { ...bare, gas } });
};

/** The sponsor as shown to users. */
export function sponsorOf({ paymaster, chosen }: SponsorProfile) {
  return { sponsorName: chosen?.author ?? paymaster.name, ...omitAbsent({ sponsorIcon: chosen?.icon }) };
}

/** Paymaster data for estimation, which no paymaster accepts. */
export const makeStub: Step<
  Asked & Identified & Granted & Partial<UserPays>,
  { readonly answer: UndecidedStub }
> = async (request) => {
  const { profile, contract, operation, grant } = request;
  const { family, location } = contract;
  const { entryPointVersion, gas } = operation;
  // What the account may sign at once must be what is signed later.
  const trails = grant.signatureTrails === true;
  const paymasterAndData = family.stub(location, operation, trails ? grant : stubGrant(grant));
  const apart = trails ? trailingData(paymasterAndData) : undefined;
  if (apart !== undefined) await promise(request, apart.paymasterData);
  return accept({
    answer: {
      kind: 'stub',
      mode: grant.mode,
      ...(grant.mode === 'SPONSORED' ? sponsorOf(profile) : {}),
      entryPointVersion,
      paymaster: location.address,
      paymasterAndData,
      paymasterData: contractData(paymasterAndData, entryPointVersion),
      ...(apart === undefined ? {} : { ...apart, validUntil: grant.validUntil }),
      paymasterVerificationGasLimit: gas.paymasterVerificationGasLimit,
      paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit,
    },
  });
};

/** Stores a stub's promise with the quotes, where any process finds it. It binds until it expires. */
function promise(request: Asked & Identified & Granted & Partial<UserPays>, paymasterData: Hex): void | Promise<void> {
  const { parts, operation, grant, userPercent = wholePercent } = request;
  const exchangeRate = grant.mode === 'ERC20' ? grant.exchangeRate : 1n;
  const given = { maximum: 1n, exchangeRate, validUntil: grant.validUntil, userPercent };
  return parts.quotes.remember([[quoteKey(request, operation, nameOfPromise(request, paymasterData)), given]]);
}
