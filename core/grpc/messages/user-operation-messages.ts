import {
  GasLimitsSchema,
  RawEip7702AuthorizationSchema,
  RawUserOperationSchema,
} from '../../../proto/gen/tollfree/core/v1/user_operation_pb.ts';
import type { GasLimits, RawEip7702Authorization, RawUserOperation } from '../../domain/user-operation.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readBigint, writeBigint } from './scalars.ts';

const authorizationConverter = converter(
  RawEip7702AuthorizationSchema,
  (authorization: RawEip7702Authorization) => authorization,
  ({ address, chainId, nonce, r, s, yParity }): RawEip7702Authorization =>
    omitAbsent({ address, chainId, nonce, r, s, yParity }),
);

export const userOperationConverter = converter(
  RawUserOperationSchema,
  ({ eip7702Auth, ...fields }: RawUserOperation) =>
    eip7702Auth === undefined ? fields : { ...fields, eip7702Auth: authorizationConverter.toMessage(eip7702Auth) },
  ({ eip7702Auth, ...message }): RawUserOperation =>
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
      eip7702Auth: eip7702Auth === undefined ? undefined : authorizationConverter.toDomain(eip7702Auth),
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
