import { OperationLifeSchema, OperationStepSchema } from '../../../proto/gen/tollfree/core/v1/operation_pb.ts';
import { operationStatuses } from '../../domain/decision.ts';
import type { OperationLife, OperationStep } from '../../domain/operation-life.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { decimal } from '../codec/decimal.ts';
import { hex } from '../codec/hex.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { seconds } from '../codec/seconds.ts';
import { trueOrAbsent } from '../codec/true-or-absent.ts';
import { tokenPayment } from './decision-messages.ts';

const step = messageOf<OperationStep>()(OperationStepSchema, { status: oneOf(operationStatuses), at: seconds });

export const operationLife = messageOf<OperationLife>()(OperationLifeSchema, {
  userOperationHash: hex,
  chainId,
  contract: address,
  sender: address,
  nonce: decimal,
  status: oneOf(operationStatuses),
  steps: listOf(step),
  validUntil: seconds,
  held: decimal,
  charge: decimal,
  txHash: hex,
  tokenPayment,
  unpaid: trueOrAbsent,
  blockNumber: decimal,
  replacedBy: hex,
});
