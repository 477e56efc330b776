import type { PartialUserOperation } from '@tollfree/contract/rpc/user-operation';
import type { Address, Hex } from 'viem';

/**
 * The user operation gas is asked for. With fields of EntryPoint 0.6 (`initCode`, `paymasterAndData`) or of 0.7 and up
 * (`factory`, `paymaster`, …), not both. Viem's `UserOperation` fits. Gas in gas, fees in wei per gas.
 */
export type UserOperationRequest = {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly callData: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly callGasLimit?: bigint | undefined;
  readonly verificationGasLimit?: bigint | undefined;
  readonly preVerificationGas?: bigint | undefined;
  readonly signature?: Hex | undefined;
  readonly initCode?: Hex | undefined;
  readonly paymasterAndData?: Hex | undefined;
  readonly factory?: Address | undefined;
  readonly factoryData?: Hex | undefined;
  readonly paymaster?: Address | undefined;
  readonly paymasterData?: Hex | undefined;
  readonly paymasterVerificationGasLimit?: bigint | undefined;
  readonly paymasterPostOpGasLimit?: bigint | undefined;
  /** EIP-7702: gives the sender the code of another contract. A placeholder signature will do until the operation is sent. */
  readonly authorization?: AuthorizationRequest | undefined;
};

/** An EIP-7702 authorization. Viem's `SignedAuthorization` fits. */
export type AuthorizationRequest = {
  /** The contract whose code the sender is to have. */
  readonly address: Address;
  /** 0 for every chain. */
  readonly chainId: number;
  /** Of the sender as an externally owned account. */
  readonly nonce: number;
  readonly r?: Hex | undefined;
  readonly s?: Hex | undefined;
  readonly yParity?: number | undefined;
};

type Fees = 'maxFeePerGas' | 'maxPriorityFeePerGas';

/** An operation that may not have its fees yet, as viem asks for paymaster data with. */
export type PartialUserOperationRequest = Omit<UserOperationRequest, Fees> &
  Partial<Record<Fees, UserOperationRequest[Fees] | undefined>>;

/** The operation as it is sent: numbers as hex, only the fields of the interface. Throws on a negative number. */
export function toWireUserOperation(operation: PartialUserOperationRequest): PartialUserOperation {
  const { sender, callData, signature, initCode, paymasterAndData } = operation;
  const { factory, factoryData, paymaster, paymasterData, authorization } = operation;
  return {
    sender,
    nonce: hex('nonce', operation.nonce),
    initCode,
    factory,
    factoryData,
    callData,
    callGasLimit: hex('callGasLimit', operation.callGasLimit),
    verificationGasLimit: hex('verificationGasLimit', operation.verificationGasLimit),
    preVerificationGas: hex('preVerificationGas', operation.preVerificationGas),
    maxFeePerGas: hex('maxFeePerGas', operation.maxFeePerGas),
    maxPriorityFeePerGas: hex('maxPriorityFeePerGas', operation.maxPriorityFeePerGas),
    paymasterAndData,
    paymaster,
    paymasterData,
    paymasterVerificationGasLimit: hex('paymasterVerificationGasLimit', operation.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: hex('paymasterPostOpGasLimit', operation.paymasterPostOpGasLimit),
    signature,
    eip7702Auth: authorization && toWireAuthorization(authorization),
  };
}

/** The authorization as it is sent. */
export function toWireAuthorization({ address, chainId, nonce, r, s, yParity }: AuthorizationRequest) {
  return { address, chainId, nonce, r, s, yParity };
}

function hex(field: string, value: bigint | undefined): Hex | undefined {
  if (value === undefined) return undefined;
  if (value < 0n) throw new RangeError(`${field} must not be negative.`);
  return `0x${value.toString(16)}`;
}
