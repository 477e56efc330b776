import {
  FundingMessageSchema,
  PaymasterListSchema,
  PaymasterSchema,
} from '../../../proto/gen/tollfree/core/v1/paymaster_pb.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import { address } from '../codec/address.ts';
import { chainId } from '../codec/chain-id.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { soleField } from '../codec/sole-field.ts';

export const paymaster = messageOf<Paymaster>()(PaymasterSchema, { chainId, fundingWallet: address });
export const paymasters = soleField(PaymasterListSchema, listOf(paymaster));
export const fundingMessage = messageOf<{ fundingMessage: string }>()(FundingMessageSchema);
