import { type Address, getAbiItem, type Hex, toFunctionSelector } from 'viem';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { createAbiDecoder } from '../abi/abi-decoder.ts';
import { createAbiEncoder } from '../abi/abi-encoder.ts';
import { addressWord, hashBytes, keccakDigits, uintDigits } from '../abi/hex-digits.ts';
import { type EntryPoint, hashForChain, type OperationToHash } from './entry-point.ts';
import { entryPoint06Abi } from './entry-point-abi.ts';

const handleOps = getAbiItem({ abi: entryPoint06Abi, name: 'handleOps' });
const handleOpsSelector = toFunctionSelector(handleOps);
const encodeBundle = createAbiEncoder(handleOps.inputs);
const encodeAlone = createAbiEncoder(getAbiItem({ abi: entryPoint06Abi, name: 'getUserOpHash' }).inputs);
const executionResult = getAbiItem({ abi: entryPoint06Abi, name: 'ExecutionResult' });
const executionResultSelector = toFunctionSelector('ExecutionResult(uint256,uint256,uint48,uint48,bool,bytes)');
const decodeExecutionResult = createAbiDecoder(executionResult.inputs);

export const entryPoint06: EntryPoint = {
  version: '0.6',
  isPacked: false,
  paymasterHeadBytes: 20,
  knowsEip7702Marker: false,
  skipsNeedlessCreation: false,
  // `_getRequiredPrefund` with a paymaster: validation, postOp and a second postOp may each use the verification limit.
  requiredGas: (gas) => gas.callGasLimit + gas.preVerificationGas + 3n * gas.verificationGasLimit,
  hash: (input) => hashForChain(hashFields(input), input),
  toStruct: toUserOperation06,
  encode: (operation, paymasterAndData) =>
    `0x${encodeAlone([toUserOperation06(operation, paymasterAndData)]).slice(64)}`,
  encodeHandleOps: (operation, paymasterAndData, beneficiary: Address) =>
    `${handleOpsSelector}${encodeBundle([[toUserOperation06(operation, paymasterAndData)], beneficiary])}`,
  simulation: {
    // Simulations always end with an error, even when they succeed.
    readPaid: (answer) =>
      answer.startsWith(executionResultSelector)
        ? decodeExecutionResult(`0x${answer.slice(executionResultSelector.length)}`)[1]
        : undefined,
    keepsShortPrefund: false,
    // The verification limit already includes the paymaster.
    paymasterOverhead: () => 0n,
  },
};

/** A user operation as EntryPoint 0.6 takes it (ERC-4337 `UserOperation`). */
export function toUserOperation06(operation: UserOperationWithGas, paymasterAndData: Hex) {
  return {
    sender: operation.sender,
    nonce: operation.nonce,
    initCode: operation.initCode,
    callData: operation.callData,
    callGasLimit: operation.gas.callGasLimit,
    verificationGasLimit: operation.gas.verificationGasLimit,
    preVerificationGas: operation.gas.preVerificationGas,
    maxFeePerGas: operation.maxFeePerGas,
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
    paymasterAndData,
    signature: operation.signature,
  };
}

function hashFields({ operation, paymasterAndData }: OperationToHash): string {
  const { gas } = operation;
  return keccakDigits(
    addressWord(operation.sender) +
      uintDigits(operation.nonce, 32) +
      hashBytes(operation.initCode) +
      hashBytes(operation.callData) +
      uintDigits(gas.callGasLimit, 32) +
      uintDigits(gas.verificationGasLimit, 32) +
      uintDigits(gas.preVerificationGas, 32) +
      uintDigits(operation.maxFeePerGas, 32) +
      uintDigits(operation.maxPriorityFeePerGas, 32) +
      hashBytes(paymasterAndData),
  );
}
