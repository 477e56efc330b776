import { ArrivalSchema } from '../../../proto/gen/tollfree/core/v1/sponsorship_pb.ts';
import type { Arrival } from '../../domain/keys/arrival.ts';
import { messageOf } from '../codec/message-of.ts';

export const arrival = messageOf<Arrival>()(ArrivalSchema);
