import {
  GasLimitsSchema,
  RawEip7702AuthorizationSchema,
  RawUserOperationSchema,
} from '../../../proto/gen/tollfree/core/v1/user_operation_pb.ts';
import type { GasLimits, RawEip7702Authorization, RawUserOperation } from '../../domain/user-operation.ts';
import { decimal } from '../codec/decimal.ts';
import { messageOf } from '../codec/message-of.ts';

export const rawUserOperation = messageOf<RawUserOperation>()(RawUserOperationSchema, {
  eip7702Auth: messageOf<RawEip7702Authorization>()(RawEip7702AuthorizationSchema),
});

export const gasLimits = messageOf<GasLimits>()(GasLimitsSchema, {
  callGasLimit: decimal,
  verificationGasLimit: decimal,
  preVerificationGas: decimal,
  paymasterVerificationGasLimit: decimal,
  paymasterPostOpGasLimit: decimal,
});
