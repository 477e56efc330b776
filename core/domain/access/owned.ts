import type { z } from 'zod';
import { request, text } from '../../base/message-schema.ts';

/** A paymaster and the account it must belong to. Every query is bound to both. */
export const owned = { accountId: text, paymasterId: text };
const OwnedSchema = request(owned);
export type Owned = z.output<typeof OwnedSchema>;
