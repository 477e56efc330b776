import * as api from '@tollfree/contract/policy';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';

/** How full a limit of a policy is in its current window. */
export const LimitUseNowSchema = message('LimitUseNow', fieldsOfApi(api.LimitUseNowSchema));
export type LimitUseNow = z.output<typeof LimitUseNowSchema>;
