import {
  NewTicketKeySchema,
  TicketKeyListSchema,
  TicketKeySchema,
} from '../../../../proto/gen/tollfree/core/v1/ticket_key_pb.ts';
import { type NewTicketKey, type TicketKey, ticketKeyKinds } from '../../../domain/tickets/ticket-key.ts';
import { listOf } from '../../codec/list.ts';
import { messageOf } from '../../codec/message-of.ts';
import { oneOf } from '../../codec/one-of.ts';
import { required } from '../../codec/presence.ts';
import { seconds } from '../../codec/seconds.ts';
import { soleField } from '../../codec/sole-field.ts';

export const ticketKey = messageOf<TicketKey>()(TicketKeySchema, { kind: oneOf(ticketKeyKinds), createdAt: seconds });
export const ticketKeys = soleField(TicketKeyListSchema, listOf(ticketKey));
export const newTicketKey = messageOf<NewTicketKey>()(NewTicketKeySchema, { record: required(ticketKey) });
