import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { partStatuses } from '../domain/operations/part-status.ts';
import { messageCodec } from './codec/message-codec.ts';

/** The status of the service, the only answer that is never a refusal. */
export const statusCodec = messageCodec(partStatuses, CoreService.method.status.output);
