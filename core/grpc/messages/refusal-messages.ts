import { RefusalSchema } from '../../../proto/gen/tollfree/core/v1/refusal_pb.ts';
import {
  limitKinds,
  managementReasons,
  type Refusal,
  type RefusalKind,
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
  (message): Refusal => ({
    ...readKind(readReason(message.reason), message.limitKind),
    message: message.message,
    ...omitAbsent({ field: message.field, details: message.details?.entries, decisionId: message.decisionId }),
  }),
);

/** A core newer than this client may know more kinds of limits: still one that was exceeded. */
function readKind(reason: RefusalReason, text: string | undefined): RefusalKind {
  if (reason !== 'LIMIT_EXCEEDED') return { reason };
  return { reason, limitKind: limitKinds.find((kind) => kind === text) ?? 'POLICY_LIMIT' };
}
