import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Hex } from 'viem';
import type { PaymasterStub } from '../../domain/paymaster-data.ts';
import { accept } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { wholePercent } from '../../domain/user-share.ts';
import { trailingData } from '../../evm/entry-point/paymaster-signature.ts';
import type { SignedTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { WithSignedTerms } from '../cost.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import { paymasterLimits, permitOf } from '../gas/find-gas-limits.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked, Step, UserPays } from '../run/steps.ts';
import { nameOfStubTerms, stubTerms } from '../sponsored-terms.ts';
import { quoteKey } from '../tokens/keep-quote.ts';
import { contractData } from './sign-paymaster-data.ts';

/** A stub to answer with, except its decision's id. */
export type UndecidedStub = Omit<PaymasterStub, 'decisionId'>;

/** The limits known before an estimate: the client's, and the paymaster's own. */
export const takeGasSoFar: Step<
  Asked & Identified & ReadOperation & { readonly signedTerms: SignedTerms },
  WithGas
> = ({ chain, contract, operation, givenGas, signedTerms }) => {
  const prices = gasScheduleOf(chain.client);
  const needed = contract.family.paymasterGasLimits(signedTerms.mode, prices, operation, permitOf(signedTerms));
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
  Asked & Identified & WithSignedTerms & Partial<UserPays>,
  { readonly answer: UndecidedStub }
> = async (request) => {
  const { profile, contract, operation, signedTerms } = request;
  const { family, location } = contract;
  const { entryPointVersion, gas } = operation;
  // What the account may sign at once must be what is signed later.
  const trails = signedTerms.signatureTrails === true;
  const paymasterAndData = family.stub(location, operation, trails ? signedTerms : stubTerms(signedTerms));
  const apart = trails ? trailingData(paymasterAndData) : undefined;
  if (apart !== undefined) await storeStubTerms(request, apart.paymasterData);
  return accept({
    answer: {
      kind: 'stub',
      mode: signedTerms.mode,
      ...(signedTerms.mode === 'SPONSORED' ? sponsorOf(profile) : {}),
      entryPointVersion,
      paymaster: location.address,
      paymasterAndData,
      paymasterData: contractData(paymasterAndData, entryPointVersion),
      ...(apart === undefined ? {} : { ...apart, validUntil: signedTerms.validUntil }),
      paymasterVerificationGasLimit: gas.paymasterVerificationGasLimit,
      paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit,
    },
  });
};

/** Stores a stub's terms with the quotes, where any process finds it. They bind until they expire. */
function storeStubTerms(
  request: Asked & Identified & WithSignedTerms & Partial<UserPays>,
  paymasterData: Hex,
): void | Promise<void> {
  const { parts, operation, signedTerms, userPercent = wholePercent } = request;
  const exchangeRate = signedTerms.mode === 'ERC20' ? signedTerms.exchangeRate : 1n;
  const given = { maximum: 1n, exchangeRate, validUntil: signedTerms.validUntil, userPercent };
  return parts.quotes.remember([[quoteKey(request, operation, nameOfStubTerms(request, paymasterData)), given]]);
}
