import type { Hex } from 'viem';
import { accept } from '../../domain/result/result.ts';
import type { GasLimits, UserOperationWithGas } from '../../domain/user-operation.ts';
import type { SignedTerms } from '../../evm/paymaster-contracts/family/family.ts';
import type { SeenAccount } from '../../node/account-codes/seen-account.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, noted, type Step } from '../run/steps.ts';
import { findGasLimits } from './find-gas-limits.ts';
import { withSafeSignatures } from './safe-signatures.ts';

/** The input for choosing gas limits. */
export type AskedForGas = Asked & Identified & ReadOperation & { readonly signedTerms: SignedTerms };

/** The operation with the limits to sign. */
export type WithGas = { readonly operation: UserOperationWithGas };

/** Our own limits, if those to sign are a bundler's: used if the bundler's exceed what was quoted or approved. */
export type WithOwnGas = { readonly ownGas: GasLimits | undefined };

/** Which part of our own `preVerificationGas` pays for data on a layer 2; undefined before an estimate. */
export type WithDataGas = { readonly dataGas: bigint | undefined };

/**
 * Whether the operation's call succeeded in a simulation; unknown for one that cannot be simulated yet, and for one that may
 * revert.
 */
export type WithSimulation = { readonly isSimulated: boolean };

/** The sender in the simulated state; undefined if it was not read. */
export type WithAccount = { readonly seenAccount: SeenAccount | undefined };

/** The paymaster contract's answer about its state in that simulation; undefined if it was not asked or gave none. */
export type WithContractState = { readonly contractState: Hex | undefined };

/** Whether the token recipient was seen to have the token; false where it was not read, as with the client's own limits. */
export type WithTokenRecipient = { readonly tokenRecipientHolds: boolean };

/** The gas limits to sign: estimated, or the client's own. */
export const chooseGas: Step<
  AskedForGas,
  WithGas & WithOwnGas & WithDataGas & WithSimulation & WithAccount & WithContractState & WithTokenRecipient
> = noted(
  {
    rule: 'gas-limits',
    finding: ({ context }) => ['gas-limits', isEstimated(context)],
  },
  async (asked: AskedForGas) => {
    const request = { ...asked, operation: await withSafeSignatures(asked.chain.client, asked.operation) };
    const gas = await findGasLimits(request, {
      calculate: isEstimated(request.context),
      signedTerms: request.signedTerms,
      callGasAllowance: 0n,
      withoutUnseenGas: request.mayRaiseLimits ? 'raise' : 'refuse',
      keepsGiven: request.context.keepsGivenLimits === true,
    });
    if (!gas.ok) return gas;
    const { limits, ownLimits: ownGas, dataGas, account: seenAccount, contractState, tokenRecipientHolds } = gas.value;
    const isSimulated = isEstimated(request.context) && !mayRevert(request);
    return accept({
      operation: { ...request.operation, gas: limits },
      ownGas,
      dataGas,
      isSimulated,
      seenAccount,
      contractState,
      tokenRecipientHolds,
    });
  },
);

/** Whether an operation is signed although its call reverts. */
export function mayRevert({
  chain,
  signedTerms,
  profile,
}: Pick<AskedForGas, 'chain' | 'signedTerms' | 'profile'>): boolean {
  if (chain.config.allowRevertingOperations === true) return true;
  return signedTerms.mode === 'SPONSORED' && profile.policy.allowRevertingOperations;
}

/** Whether the service chooses the limits, which is the default. */
export function isEstimated({ calculateGasLimits }: Asked['context']): boolean {
  return calculateGasLimits !== false;
}
