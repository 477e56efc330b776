import type { z } from 'zod';
import { type Scope, scopes } from './access/scope.ts';
import type { ErrorAnswer } from './envelope.ts';
import { managementErrors } from './errors.ts';

/** Largest request body a route reads: none, the plain limit, the one of the RPC endpoint, or the wider one for an ABI. */
export type BodyLimit = 'none' | 'management' | 'rpc' | 'abi';

/**
 * What the gateway must know about a management route in addition to its schemas, and what the OpenAPI document says
 * about it: the required headers, and the answer if one is missing or wrong (interface sections 5 and 7).
 */
export type RouteMetadata = {
  /** `not needed`: anyone may call it, because there are no credentials yet. */
  readonly account: 'required' | 'not needed';
  readonly apiKey: 'required' | 'not sent';
  readonly missingCredentials: ErrorAnswer;
  readonly wrongAuthToken: ErrorAnswer;
  readonly wrongApiKey: ErrorAnswer;
  readonly body: BodyLimit;
  /** `long`: a list that can have many megabytes in total. Only a few such answers are sent at once. */
  readonly answer?: 'long';
  /**
   * The required scopes of the authToken or session. Absent means all scopes, so that a route without an entry stays
   * closed.
   */
  readonly scopes?: readonly Scope[];
  /** Errors of this route that have a text of their own, for the document. */
  readonly errors: readonly ErrorAnswer[];
  /** Schema of a body that a GET may carry; ts-rest has no place for it. */
  readonly getBody?: z.ZodType;
};

/** Metadata of a route that answers every credential it does not accept with one and the same 401. */
function uniform(
  apiKey: RouteMetadata['apiKey'],
  unauthorized: ErrorAnswer,
  body: BodyLimit,
  errors: readonly ErrorAnswer[],
): RouteMetadata {
  return {
    account: 'required',
    apiKey,
    missingCredentials: unauthorized,
    wrongAuthToken: unauthorized,
    wrongApiKey: unauthorized,
    body,
    errors,
  };
}

/** A route for callers with these scopes: one, all (for owner-only routes), or none. */
export function needs(wanted: readonly Scope[], metadata: RouteMetadata): RouteMetadata {
  return { ...metadata, scopes: wanted };
}

/** A route whose list is sent as fast as the caller reads it. */
export function withLongAnswer(metadata: RouteMetadata): RouteMetadata {
  return { ...metadata, answer: 'long' };
}

/** The scopes that a route asks for. */
export function scopesOf(metadata: RouteMetadata): readonly Scope[] {
  return metadata.scopes ?? scopes;
}

const bothRequired = managementErrors.authTokenAndApiKeyRequired;

/** A route with both headers whose body, if any, has the given limit. */
export function withApiKey(body: BodyLimit, ...errors: readonly ErrorAnswer[]): RouteMetadata {
  return uniform('required', bothRequired, body, errors);
}

/** A route of the account itself: requires only the token. */
export function withAuthToken(body: BodyLimit, ...errors: readonly ErrorAnswer[]): RouteMetadata {
  return uniform('not sent', managementErrors.authTokenRequired, body, errors);
}

/** A route open to everyone. It has no headers to check, but the body may contain something. */
export function openToEverybody(body: BodyLimit, ...errors: readonly ErrorAnswer[]): RouteMetadata {
  return needs([], {
    ...uniform('not sent', managementErrors.authTokenNotAccepted, body, errors),
    account: 'not needed',
  });
}

/** Webhook list: both headers, but the text names the token only. */
export function webhookList(getBody: z.ZodType): RouteMetadata {
  return { ...uniform('required', managementErrors.authTokenRequired, 'management', []), getBody };
}

/** Paymaster list: the token only, but the text names both. */
export const paymasterList: RouteMetadata = uniform('not sent', bothRequired, 'none', []);

/** Paymaster creation: the token only. */
export const paymasterCreate: RouteMetadata = uniform('not sent', managementErrors.authTokenRequired, 'management', [
  managementErrors.paymasterNameExists,
  managementErrors.chainIdNotSupported,
  managementErrors.paymasterVersionNotSupported,
]);

/** Smart contract update and deletion: an apiKey that is not accepted is answered like a missing contract. */
export const smartContractChange: RouteMetadata = {
  ...withApiKey('management', managementErrors.smartContractNotFound),
  wrongApiKey: managementErrors.smartContractNotFound,
};

/** Funding wallet update: an invalid token or apiKey, unlike a missing one, is answered as an unknown user. */
export const fundingWalletUpdate: RouteMetadata = {
  ...withApiKey('management', managementErrors.invalidSignature, managementErrors.paymasterNotFound),
  wrongAuthToken: managementErrors.userNotFound,
  wrongApiKey: managementErrors.userNotFound,
};

/** Reads the metadata of a route of {@link managementRouter}. Throws if the route has none. */
export function metadataOf(route: { readonly metadata?: unknown }): RouteMetadata {
  const { metadata } = route;
  if (typeof metadata !== 'object' || metadata === null || !('missingCredentials' in metadata)) {
    throw new Error('a management route has no metadata');
  }
  return metadata as RouteMetadata;
}
