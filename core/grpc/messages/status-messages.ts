import { PartStatusSchema, StatusResponseSchema } from '../../../proto/gen/tollfree/core/v1/status_pb.ts';
import type { PartStatus } from '../../domain/operations/part-status.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { soleField } from '../codec/sole-field.ts';
import { trueOrAbsent } from '../codec/true-or-absent.ts';

const partStatus = messageOf<PartStatus>()(PartStatusSchema, { optional: trueOrAbsent });
export const partStatuses = soleField(StatusResponseSchema, listOf(partStatus));
