import type { Address, Hex } from 'viem';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import type { PaymasterContract, PaymasterContractFamily } from './family.ts';

/** A call to the deployed contract, the answer that proves it is what we take it for, and what to say if it is not. */
export type PreflightCheck = { readonly data: Hex; readonly expected: Hex; readonly complaint: string };

/** What to ask a contract of a family before anything is signed for it. Pure: the caller makes the calls. */
export type Preflight = (
  family: PaymasterContractFamily,
  contract: PaymasterContract,
  signer: Address,
) => readonly PreflightCheck[];

/** An operation with a value in every field, so that a digest over it shows a field left out or out of place. */
export function sampleOperation(family: PaymasterContractFamily): UserOperationWithGas {
  return {
    entryPointVersion: family.entryPointVersion,
    sender: '0x1111111111111111111111111111111111111111',
    nonce: 2n ** 200n + 7n,
    initCode: '0x222222222222222222222222222222222222222233',
    callData: '0xb61d27f64444',
    maxFeePerGas: 5_000_000_005n,
    maxPriorityFeePerGas: 6n,
    signature: '0x',
    gas: {
      callGasLimit: 101n,
      verificationGasLimit: 102n,
      preVerificationGas: 103n,
      ...(family.entryPointVersion === '0.6'
        ? { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }
        : { paymasterVerificationGasLimit: 104n, paymasterPostOpGasLimit: 105n }),
    },
  };
}
