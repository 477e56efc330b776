import { GasLimitsSchema, RawUserOperationSchema } from '../../proto/gen/tollfree/core/v1/user_operation_pb.ts';
import type { GasLimits, RawUserOperation } from '../domain/user-operation.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readBigint, writeBigint } from './scalars.ts';

export const userOperationConverter = converter(
  RawUserOperationSchema,
  (userOperation: RawUserOperation) => userOperation,
  (message): RawUserOperation =>
    omitAbsent({
      sender: message.sender,
      nonce: message.nonce,
      initCode: message.initCode,
      factory: message.factory,
      factoryData: message.factoryData,
      callData: message.callData,
      callGasLimit: message.callGasLimit,
      verificationGasLimit: message.verificationGasLimit,
      preVerificationGas: message.preVerificationGas,
      maxFeePerGas: message.maxFeePerGas,
      maxPriorityFeePerGas: message.maxPriorityFeePerGas,
      paymasterAndData: message.paymasterAndData,
      paymaster: message.paymaster,
      paymasterData: message.paymasterData,
      paymasterVerificationGasLimit: message.paymasterVerificationGasLimit,
      paymasterPostOpGasLimit: message.paymasterPostOpGasLimit,
      signature: message.signature,
    }),
);

export const gasLimitsConverter = converter(
  GasLimitsSchema,
  (gas: GasLimits) => ({
    callGasLimit: writeBigint(gas.callGasLimit),
    verificationGasLimit: writeBigint(gas.verificationGasLimit),
    preVerificationGas: writeBigint(gas.preVerificationGas),
    paymasterVerificationGasLimit: writeBigint(gas.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: writeBigint(gas.paymasterPostOpGasLimit),
  }),
  (message): GasLimits => ({
    callGasLimit: readBigint(message.callGasLimit),
    verificationGasLimit: readBigint(message.verificationGasLimit),
    preVerificationGas: readBigint(message.preVerificationGas),
    paymasterVerificationGasLimit: readBigint(message.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: readBigint(message.paymasterPostOpGasLimit),
  }),
);
