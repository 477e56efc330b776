import { type LimitKind, limitKinds } from '@tollfree/contract/rpc/limit-kinds';
import { rpcRefusals } from '@tollfree/contract/rpc/refusals';
import { z } from 'zod';
import {
  address,
  integer,
  listMessage,
  message,
  seconds,
  sint32,
  text,
  textMap,
  travelsAs,
  withTraits,
} from '../../base/message-schema.ts';

/** Reasons of management calls (interface sections 3 to 5 and 7). The gateway maps each to its text and status. */
export const managementReasons = [
  'UNAUTHENTICATED',
  'API_KEY_NOT_ACCEPTED',
  'SCOPE_MISSING',
  'ACCOUNT_NOT_FOUND',
  'AUTH_TOKEN_NOT_FOUND',
  'AUTH_TOKEN_NOT_ACCEPTED',
  'TOO_MANY_AUTH_TOKENS',
  'SESSION_NOT_FOUND',
  'SIGN_IN_MESSAGE_NOT_VALID',
  'SIGN_IN_FOR_ELSEWHERE',
  'SIGN_IN_EXPIRED',
  'SIGN_IN_NONCE_NOT_ACCEPTED',
  'SIGN_IN_SIGNATURE_NOT_ACCEPTED',
  'CONTRACT_WALLET_NOT_SUPPORTED',
  'SIGN_UP_CLOSED',
  'TOO_MANY_SIGN_UPS',
  'ACCOUNT_SUSPENDED',
  'WALLET_TAKEN',
  'MEMBER_NOT_FOUND',
  'MEMBER_EXISTS',
  'TOO_MANY_MEMBERS',
  'LAST_OWNER',
  'NOT_A_MEMBER',
  'INVALID_FIELD',
  'CHANGED_MEANWHILE',
  'WEBHOOK_NOT_FOUND',
  'WEBHOOK_URL_NOT_REACHABLE',
  'TOO_MANY_WEBHOOKS',
  'PAYMASTER_NOT_FOUND',
  'PAYMASTER_NAME_EXISTS',
  'TOO_MANY_PAYMASTERS',
  'API_KEY_NOT_FOUND',
  'API_KEY_NAME_EXISTS',
  'TOO_MANY_API_KEYS',
  'PAYMASTER_CHAIN_NOT_SUPPORTED',
  'PAYMASTER_VERSION_NOT_SUPPORTED',
  'CONTRACT_NOT_FOUND',
  'CONTRACT_NAME_EXISTS',
  'CONTRACT_ADDRESS_EXISTS',
  'TOO_MANY_CONTRACTS',
  'METHODS_NOT_IN_ABI',
  'EXPLORER_NOT_SET_UP',
  'ABI_NOT_VERIFIED',
  'EXPLORER_UNAVAILABLE',
  'POLICY_NOT_FOUND',
  'POLICY_NAME_EXISTS',
  'TOO_MANY_POLICIES',
  'DECISION_NOT_FOUND',
  'OPERATION_NOT_FOUND',
  'NOTIFICATION_NOT_FOUND',
  'NOTIFICATION_URL_NOT_REACHABLE',
  'TOO_MANY_NOTIFICATIONS',
  'INVALID_SIGNATURE',
  'BUDGET_NOT_FOUND',
  'BUDGET_NAME_EXISTS',
  'TOO_MANY_BUDGETS',
  'TICKET_KEY_NOT_FOUND',
  'TICKET_KEY_NAME_EXISTS',
  'TOO_MANY_TICKET_KEYS',
  'JWKS_URL_NOT_REACHABLE',
  'TOO_MANY_REQUESTS',
  'READING_TOO_LONG',
] as const;

/** Reasons of sponsorship calls: `error.data.reason` of the RPC, stable and documented. */
export const sponsorshipReasons = Object.keys(rpcRefusals) as readonly SponsorshipReason[];
export type SponsorshipReason = keyof typeof rpcRefusals;

type ManagementReason = (typeof managementReasons)[number];
export type RefusalReason = ManagementReason | SponsorshipReason;

/** A newer core may have more reasons: the result is still a refusal, but a less specific one. */
export const refusalReason = withTraits(z.enum([...managementReasons, ...sponsorshipReasons]), {
  fallback: 'INTERNAL',
});

const someLimit: LimitKind = 'POLICY_LIMIT';
/** A newer core may have more kinds of limits: the result is still an exceeded limit. */
const limitKind = withTraits(z.enum(limitKinds), { fallback: someLimit });

/** The reason of a refusal, with its additional fields. */
export type RefusalKind =
  | { readonly reason: Exclude<RefusalReason, 'LIMIT_EXCEEDED'>; readonly limitKind?: never }
  | { readonly reason: 'LIMIT_EXCEEDED'; readonly limitKind: LimitKind };

/** A token that a user may pay in. */
const TokenOfferSchema = message('TokenOffer', {
  address,
  symbol: text,
  /** Decimals of a whole token. */
  decimals: integer,
});
export type TokenOffer = z.output<typeof TokenOfferSchema>;

/** What a user may pay in instead. */
export const tokenOffers = listMessage('TokenOffers', 'tokens', TokenOfferSchema);

/** The error of a bundler that refused an operation. */
const BundlerErrorSchema = message('BundlerError', {
  /** Of JSON-RPC. */
  code: sint32,
  /** JSON text. */
  dataJson: text.exactOptional(),
});

/** Why something was not done. */
const RefusalFormSchema = message('Refusal', {
  /** Stable, like `PAYMASTER_NOT_FOUND`. */
  reason: refusalReason,
  /** For a person who can act on it. It never contains a secret, a stack or the text of a library. */
  message: text,
  /** The input at fault (`INVALID_FIELD`, `INVALID_PARAMS`, `ESTIMATION_FAILED`). */
  field: text.exactOptional(),
  /** Short facts for programs, e.g. `{ aaCode: 'AA23' }` or `{ methods: 'a, b' }`. */
  details: textMap('RefusalDetails').exactOptional(),
  decisionId: text.exactOptional(),
  /** For `LIMIT_EXCEEDED`: which kind of limit it was. */
  limitKind: limitKind.exactOptional(),
  /** For `LIMIT_EXCEEDED`: when its next window begins, or sponsoring does. Absent if neither happens, and if the request never fits. */
  resetsAt: seconds.exactOptional(),
  /** What the user may pay in instead, if the policy offers it. Never empty. */
  tokenOffers: tokenOffers.exactOptional(),
  /** For `BUNDLER_REFUSED`: its JSON-RPC code, and its data as JSON text. */
  bundlerError: BundlerErrorSchema.exactOptional(),
});

export type Refusal = RefusalKind & Omit<z.output<typeof RefusalFormSchema>, 'reason' | 'limitKind'>;

/** The wire form does not tie the kind of limit to its reason. */
export const RefusalSchema = travelsAs<Refusal, typeof RefusalFormSchema>(
  RefusalFormSchema,
  (refusal) => refusal as z.output<typeof RefusalFormSchema>, // without a kind, or with one
  ({ reason, limitKind: kind, ...fields }) =>
    reason === 'LIMIT_EXCEEDED' ? { ...fields, reason, limitKind: kind ?? someLimit } : { ...fields, reason },
);
