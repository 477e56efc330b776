import {
  BundlerErrorSchema,
  RefusalDetailsSchema,
  RefusalSchema,
  TokenOfferSchema,
  TokenOffersSchema,
} from '../../../proto/gen/tollfree/core/v1/refusal_pb.ts';
import {
  type LimitKind,
  limitKinds,
  managementReasons,
  type Refusal,
  type RefusalReason,
  sponsorshipReasons,
  type TokenOffer,
} from '../../domain/result/refusal.ts';
import { adapted } from '../codec/adapted.ts';
import { address } from '../codec/address.ts';
import type { Codec } from '../codec/codec.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { soleField } from '../codec/sole-field.ts';
import { textMap } from '../codec/text-map.ts';

const knownReasons: readonly RefusalReason[] = [...managementReasons, ...sponsorshipReasons];

/** A core newer than this client may know more reasons: still a refusal, only a less telling one. */
export const refusalReason: Codec<RefusalReason, string> = {
  toWire: (reason) => reason,
  toDomain: (text) => knownReasons.find((reason) => reason === text) ?? 'INTERNAL',
};

const someLimit: LimitKind = 'POLICY_LIMIT';

/** A core newer than this client may know more kinds of limits: still one that was exceeded. */
const limitKind: Codec<LimitKind, string> = {
  toWire: (kind) => kind,
  toDomain: (text) => limitKinds.find((kind) => kind === text) ?? someLimit,
};

export const tokenOffers = soleField(TokenOffersSchema, listOf(messageOf<TokenOffer>()(TokenOfferSchema, { address })));

const bundlerError = messageOf<NonNullable<Refusal['bundlerError']>>()(BundlerErrorSchema);

/** On the wire nothing ties the kind of limit to its reason. */
type Untied = Omit<Refusal, 'reason' | 'limitKind'> & {
  readonly reason: RefusalReason;
  readonly limitKind?: LimitKind;
};

const untied = messageOf<Untied>()(RefusalSchema, {
  reason: refusalReason,
  details: soleField(RefusalDetailsSchema, textMap),
  limitKind,
  tokenOffers,
  bundlerError,
});

export const refusal = adapted(
  untied,
  (domain: Refusal): Untied => domain,
  ({ reason, limitKind: kind, ...fields }): Refusal =>
    reason === 'LIMIT_EXCEEDED' ? { ...fields, reason, limitKind: kind ?? someLimit } : { ...fields, reason },
);
