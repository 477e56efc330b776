import { StringListSchema } from '../../../proto/gen/tollfree/core/v1/string_list_pb.ts';
import { texts } from '../codec/list.ts';
import { soleField } from '../codec/sole-field.ts';

/** Texts that may be absent, in a message of their own: proto cannot tell an absent list from an empty one. */
export const textList = soleField(StringListSchema, texts);
