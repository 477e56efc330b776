import { getAbiItem, toFunctionSelector } from 'viem';
import { createAbiDecoder } from '../abi/abi-decoder.ts';
import { createAbiEncoder } from '../abi/abi-encoder.ts';
import { hashBytes, keccakDigits } from '../abi/hex-digits.ts';
import { type EntryPoint, hashForChain } from './entry-point.ts';
import { entryPoint07Abi, entryPointSimulationsAbi } from './entry-point-abi.ts';
import { packedFields, packUserOperation } from './packed-user-operation.ts';
import { entryPointSimulations } from './simulations.generated.ts';

const handleOps = getAbiItem({ abi: entryPoint07Abi, name: 'handleOps' });
const handleOpsSelector = toFunctionSelector(handleOps);
const encodeBundle = createAbiEncoder(handleOps.inputs);
const encodeAlone = createAbiEncoder(getAbiItem({ abi: entryPoint07Abi, name: 'getUserOpHash' }).inputs);
const decodeResult = createAbiDecoder(getAbiItem({ abi: entryPointSimulationsAbi, name: 'simulateHandleOp' }).outputs);

/** The first version with packed operations; later ones differ only a little. */
export const entryPoint07: EntryPoint = {
  version: '0.7',
  isPacked: true,
  // The address, and two gas limits of 16 bytes.
  paymasterHeadBytes: 52,
  knowsEip7702Marker: false,
  skipsNeedlessCreation: false,
  requiredGas: (gas) =>
    gas.callGasLimit +
    gas.preVerificationGas +
    gas.verificationGasLimit +
    gas.paymasterVerificationGasLimit +
    gas.paymasterPostOpGasLimit,
  hash: (input) => hashForChain(keccakDigits(packedFields(input, hashBytes(input.operation.initCode))), input),
  toStruct: packUserOperation,
  encode: (operation, paymasterAndData) =>
    `0x${encodeAlone([packUserOperation(operation, paymasterAndData)]).slice(64)}`,
  encodeHandleOps: (operation, paymasterAndData, beneficiary) =>
    `${handleOpsSelector}${encodeBundle([[packUserOperation(operation, paymasterAndData)], beneficiary])}`,
  simulation: {
    code: entryPointSimulations['0.7'],
    readPaid: (answer, returned) => (returned ? decodeResult(answer)[0].paid : undefined),
    keepsShortPrefund: true,
    // The deposit changes: 7,750 with mainnet's prices.
    paymasterOverhead: ({ changedSlot }) => changedSlot + 2_750n,
  },
};
