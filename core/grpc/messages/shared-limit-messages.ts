import {
  LimitLevelSchema,
  LimitLevelsSchema,
  LimitUseSchema,
} from '../../../proto/gen/tollfree/core/v1/shared_limits_pb.ts';
import type { LimitLevel, LimitUse } from '../../domain/sharing/limit-use.ts';
import { count } from '../codec/count.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { soleField } from '../codec/sole-field.ts';

export const limitUses = listOf(messageOf<LimitUse>()(LimitUseSchema, { beganMsAgo: count }));
const limitLevel = messageOf<LimitLevel>()(LimitLevelSchema, { left: count, used: count });
export const limitLevels = soleField(LimitLevelsSchema, listOf(limitLevel));
