import type { z } from 'zod';
import { flag, listMessage, message, text, trueOrAbsent } from '../../base/message-schema.ts';

/**
 * One part of the service, for `/readyz` and gRPC health. The rest works without an `optional` one: one chain of several,
 * one paymaster contract.
 */
const PartStatusSchema = message('PartStatus', {
  part: text,
  ready: flag,
  /** For people: what is wrong, or what was found in order. */
  detail: text,
  /** The rest works without this part: one chain of several, one paymaster contract. */
  optional: trueOrAbsent,
});
export type PartStatus = z.output<typeof PartStatusSchema>;

export const partStatuses = listMessage('StatusResponse', 'parts', PartStatusSchema);
