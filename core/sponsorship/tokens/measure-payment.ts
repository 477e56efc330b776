import { omitAbsent } from '@tollfree/contract/omit-absent';
import { divideUp, maxBigint } from '../../base/values/integers.ts';
import { accept } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { addMargin, postOpMarginBasisPoints } from '../../gas/simulation/estimation-context.ts';
import { asCharged, type TrialRequest } from '../../gas/token-payment-trial.ts';
import type { Granted } from '../cost/cap-cost.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { inTurn } from '../run/in-turn.ts';
import type { Step } from '../run/steps.ts';
import type { FeeToken } from './choose-tokens.ts';

type Needed = Asked & Identified & FeeToken & WithGas & { readonly grant: TokenGrant };

/**
 * Gives a stub the postOp limit that the token needs, if the operation can already be tried: its client keeps the limit for
 * the signed operation. The part for a payment in advance is left out if the tokens are not available yet.
 */
export const measurePayment: Step<Needed, WithGas> = async (request) => {
  const { operation, chain } = request;
  if (!entryPointOf(operation.entryPointVersion).isPacked) return accept({ operation });
  const measure = (inAdvance: Partial<TokenGrant>) => {
    const trial = trialOf(request, { operation, grant: { ...request.grant, ...inAdvance } });
    return inTurn(request, async () => accept(await chain.paymentTrial.measure(trial)));
  };
  const ahead = takesInAdvance(request) ? await measure({ inAdvance: 1n }) : undefined;
  if (ahead?.ok === false) return ahead;
  // A permit makes the tokens available, even before it is signed.
  const mayStandReady = ahead === undefined || ahead.value !== undefined || request.grant.permit !== undefined;
  const spared = mayStandReady ? operation : withoutAdvanceGas(request);
  const measured = ahead?.value === undefined ? await measure({}) : ahead;
  if (!measured.ok) return measured;
  const payable = measured.value;
  if (payable === undefined) return accept({ operation: spared });
  const needed = addMargin(payable.postOpGas, postOpMarginBasisPoints);
  const paymasterPostOpGasLimit = maxBigint(needed, spared.gas.paymasterPostOpGasLimit);
  return accept({ operation: { ...spared, gas: { ...spared.gas, paymasterPostOpGasLimit } } });
};

/** Without a price no tokens can be taken in advance, even if the sender has some. */
function takesInAdvance({ contract, operation, grant }: Needed): boolean {
  return contract.family.advanceGas !== undefined && grant.signatureTrails !== true && operation.maxFeePerGas > 0n;
}

/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/** A time long past, in Unix seconds: no EntryPoint accepts what is signed for it. */
const longPast = 1;

/** The trial of a payment, with a signature that the contract accepts and that has expired. */
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

/** The operation without the gas that only a payment in advance needs: bundlers refuse mostly unused limits. */
export function withoutAdvanceGas({
  contract,
  operation,
}: Pick<Identified, 'contract'> & { readonly operation: UserOperationWithGas }): UserOperationWithGas {
  const { gas } = operation;
  const paymasterVerificationGasLimit = gas.paymasterVerificationGasLimit - (contract.family.advanceGas ?? 0n);
  return paymasterVerificationGasLimit > 0n
    ? { ...operation, gas: { ...gas, paymasterVerificationGasLimit } }
    : operation;
}
