import type { Address, Hex } from 'viem';
import type { GasLimits } from '../../domain/user-operation.ts';
import type { SignedTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import type { Read } from '../../gas/simulation/plan-measurement.ts';
import { balanceRead, holdsSome } from '../../gas/token-payment-trial.ts';
import type { Identified } from '../identify/identify.ts';

/** The limits of the paymaster alone, in gas. */
export type PaymasterGas = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

const noGas: PaymasterGas = { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n };

type OfContract = Pick<Identified, 'chain' | 'contract'>;

/** The part of the paymaster's limits, in gas, that only the first transfer to an empty token recipient needs. */
export function emptyTokenRecipientGas({ chain, contract }: OfContract, signedTerms: SignedTerms): PaymasterGas {
  if (signedTerms.mode === 'SPONSORED') return noGas;
  return contract.family.emptyTokenRecipientGas?.(gasScheduleOf(chain.client)) ?? noGas;
}

/** Reads the token recipient's balance of each token, where the limits depend on it; of the terms' token if none is named. */
export function tokenRecipientReads(
  { contract }: Pick<OfContract, 'contract'>,
  signedTerms: SignedTerms,
  tokens?: readonly Address[],
): readonly Read[] {
  if (signedTerms.mode === 'SPONSORED' || contract.family.emptyTokenRecipientGas === undefined) return [];
  return (tokens ?? [signedTerms.token]).map((token) => balanceRead(token, signedTerms.tokenRecipient));
}

/** Whether the token recipient has some of each token, by the answers to {@link tokenRecipientReads}; false if nothing was read. */
export function tokenRecipientHolds(answers: readonly (Hex | undefined)[]): boolean {
  return answers.length > 0 && answers.every(holdsSome);
}
