import { omitAbsent } from '@tollfree/contract/omit-absent';
import { divideUp } from '../../base/values/integers.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { asCharged, type TrialRequest } from '../../gas/token-payment-trial.ts';
import type { Granted } from '../cost/cap-cost.ts';
import type { Identified } from '../identify/identify.ts';
import type { FeeToken } from './choose-fee-token.ts';

/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/** A time long past, in Unix seconds: no EntryPoint accepts what is signed for it. */
const longPast = 1;

/** The trial of a payment, with a signature that the contract accepts but that has expired. */
export function trialOf(
  { contract, token }: Identified & FeeToken,
  { operation, grant }: Granted<TokenGrant>,
): TrialRequest {
  const { family, location } = contract;
  return {
    operation,
    entryPoint: location.entryPoint,
    paymaster: location.address,
    treasury: grant.treasury,
    token,
    ...omitAbsent({ permit: grant.permit }),
    needed: family.maximumTokenCharge(asCharged(operation), grant),
    weiPerUnit: divideUp(weiPerRate, grant.exchangeRate),
    paymasterAndData: async (tried) => {
      const past = { ...grant, validAfter: longPast, validUntil: longPast };
      const { unsigned, digest } = family.prepare(location, tried, past);
      return family.assemble(unsigned, await contract.signer.signDigest(digest));
    },
  };
}
