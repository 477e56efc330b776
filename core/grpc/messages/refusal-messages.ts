import { RefusalSchema } from '../../../proto/gen/tollfree/core/v1/refusal_pb.ts';
import {
  managementReasons,
  type Refusal,
  type RefusalReason,
  sponsorshipReasons,
} from '../../domain/result/refusal.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';

const knownReasons: readonly RefusalReason[] = [...managementReasons, ...sponsorshipReasons];

/** A core newer than this client may know more reasons: still a refusal, only a less telling one. */
export function readReason(text: string): RefusalReason {
  return knownReasons.find((reason) => reason === text) ?? 'INTERNAL';
}

export const refusalConverter = converter(
  RefusalSchema,
  (refusal: Refusal) => {
    const { details, ...fields } = refusal;
    return details === undefined ? fields : { ...fields, details: { entries: { ...details } } };
  },
  (message): Refusal =>
    omitAbsent({
      reason: readReason(message.reason),
      message: message.message,
      field: message.field,
      details: message.details?.entries,
      decisionId: message.decisionId,
    }),
);
