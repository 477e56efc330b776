import { z } from 'zod';
import type { Scope } from './access/scope.ts';
import { commonErrorResponses, type ErrorAnswer, ErrorEnvelopeSchema, envelope, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';

const authtoken = z.string().optional().describe('authToken of the account. A browser session replaces it.');

/** Headers of calls that act on an account. Lower case, as Node sees them. */
export const AccountHeadersSchema = z.object({
  authtoken,
});
export type AccountHeaders = z.infer<typeof AccountHeadersSchema>;

/** Headers of calls that act on one paymaster. */
export const PaymasterHeadersSchema = z.object({
  authtoken,
  apikey: z.string().describe('apiKey of the paymaster, from its creation or the paymaster list.'),
});
export type PaymasterHeaders = z.infer<typeof PaymasterHeadersSchema>;

/** Path of the management interface (interface section 4). */
export const managementPrefix = '/api/v2/public/sdk';

/** What the audit log records of a change: the objects to compare before and after. */
export const auditLabels = [
  'new account',
  'account',
  'access',
  'authTokens',
  'revoked authToken',
  'sessions',
  'new session',
  'switched session',
  'ended session',
  'budgets',
  'new paymaster',
  'paymaster',
  'apiKeys',
  'ticket keys',
  'funding message',
  'funding wallet',
  'policy',
  'new policy',
  'named policy',
  'contract',
  'webhooks',
  'notifications',
  'delivery',
  'new delivery',
  'tanks',
  'watches',
  'archive',
  'hold',
] as const;
export type AuditLabel = (typeof auditLabels)[number];

/** Terms of an operation for the core, its gRPC service and its audit log. */
export type CoreTerms = {
  /**
   * Whether it may run twice: if a core fails that may have run it, another core is asked again. True for reads and for
   * changes that set a whole value. Otherwise the caller learns that the outcome is unknown.
   */
  readonly repeatable: boolean;
  /** What it changes. Absent: no managed object. */
  readonly changes?: AuditLabel;
  /**
   * Who may make the change, if `scopes` do not decide: anyone with a valid credential (`any member`), anyone at all
   * (`anyone`), or only the operator.
   */
  readonly author?: 'any member' | 'anyone' | 'operator';
  /** Time limit in milliseconds, if it is longer than the usual one. */
  readonly deadlineMs?: number;
};

/** Largest request body of a route: none, the usual limit, that of the RPC endpoint, or the larger one for an ABI. */
export type BodyLimit = 'none' | 'management' | 'rpc' | 'abi';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The single description of a management operation. */
export type RestTerms = {
  readonly method: Method;
  /** Relative to {@link managementPrefix}. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** The credentials it requires: the account's, also the paymaster's, or none because anyone may call it. */
  readonly credentials: 'account' | 'paymaster' | 'none';
  /** Scopes that the authToken or session needs. */
  readonly scopes: readonly Scope[];
  readonly pathParams?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The usual limit if absent. */
  readonly bodyLimit?: BodyLimit;
  /** Schema of a body that a GET may carry. */
  readonly getBody?: z.ZodType;
  /** `message` of the success. */
  readonly message: string;
  /** `data` of the success, if any. */
  readonly data?: z.ZodType;
  /** Errors with their own text. */
  readonly errors?: readonly ErrorAnswer[];
  /** The answer for missing or wrong credentials, if it differs from other operations. */
  readonly unauthorized?: ErrorAnswer;
  readonly wrongAuthToken?: ErrorAnswer;
  readonly wrongApiKey?: ErrorAnswer;
  /**
   * The list in the core's pages whose items the answer streams: all pages together can have many megabytes. Only a few such
   * answers are sent at once.
   */
  readonly streams?: string;
  /** For the dashboard's pages, which have a session: other clients do not need it. */
  readonly inBrowser?: true;
  /** The input field that receives the whole body, if the body's fields are not input fields. */
  readonly bodyAs?: string;
  /** The key of the core's input that receives the query, except `cursor` and `limit`. */
  readonly queryAs?: string;
  /**
   * For the calls of the interface (section 4), which programs of others send: fields and query parameters that it does not
   * list are ignored, except likely misspellings of a field that is missing. All other calls refuse them.
   */
  readonly ignoresUnknown?: true;
  /**
   * It changes an object that has a version: the header `If-Match`, or the parameter `etag` of other clients, makes the change
   * depend on it. Without it the last change wins.
   */
  readonly versioned?: true;
};

/**
 * The core's side of a route: its terms, or the name of another described operation that this route also calls. `rpc` is an
 * older name of the operation in the gRPC service and the audit log.
 */
type CoreSide = (CoreTerms & { readonly rpc?: string }) | { readonly calls: string };

export type Described = RestTerms & CoreSide;

type Responses<D extends RestTerms> = {
  readonly [Status in keyof typeof commonErrorResponses | 404]: typeof ErrorEnvelopeSchema;
} & {
  readonly 200: D extends { readonly data: infer Data extends z.ZodType }
    ? z.ZodType<{ statusCode: 200; message: D['message'] } & DataField<Data>>
    : z.ZodType<{ statusCode: 200; message: D['message'] }>;
};
type DataField<Data extends z.ZodType> =
  undefined extends z.output<Data> ? { data?: z.output<Data> } : { data: z.output<Data> };

/** An operation with everything derived from its description. */
export type Operation<Name extends string = string, D extends Described = Described> = D & {
  readonly name: Name;
  readonly headers: (typeof headersOf)[D['credentials']];
  readonly responses: Responses<D>;
};

/** Describes an operation of the management interface. `name` is its name everywhere. */
export function operation<const Name extends string, const D extends Described>(
  name: Name,
  description: D,
): Operation<Name, D> {
  const { credentials, message, data } = description;
  const plain = headersOf[credentials];
  const headers = description.versioned === true ? plain?.extend(versionHeaders) : plain;
  const success =
    data === undefined
      ? envelope(message)
      : data instanceof z.ZodOptional
        ? envelope(message).extend({ data })
        : envelopeWith(message, data);
  const responses = {
    ...commonErrorResponses,
    ...(description.versioned === true ? { 412: ErrorEnvelopeSchema } : {}),
    ...(canBeNotFound(description) ? { 404: ErrorEnvelopeSchema } : {}),
    200: success,
  };
  // The types of headers and responses follow from the same description.
  return { ...description, name, headers, responses } as unknown as Operation<Name, D>;
}

/** The terms of an operation that only reads. */
const reading = { method: 'GET', scopes: ['read'], repeatable: true } as const;

/** Describes an {@link operation} that only reads: a GET with the scope `read`, which may be repeated. */
export function readOperation<
  const Name extends string,
  const D extends Omit<RestTerms, keyof typeof reading> & { readonly rpc?: string },
>(name: Name, description: D): Operation<Name, D & typeof reading> {
  return operation(name, { ...description, ...reading });
}

const managing = { scopes: ['manage'] } as const;

/** Describes an {@link operation} that needs the scope `manage`. */
export function manageOperation<
  const Name extends string,
  const D extends Omit<RestTerms, keyof typeof managing> & CoreTerms & { readonly rpc?: string },
>(name: Name, description: D): Operation<Name, D & typeof managing> {
  return operation(name, { ...description, ...managing });
}

const versionHeaders = {
  'if-match': z
    .string()
    .optional()
    .describe(
      'The `ETag` of the object, in quotation marks: 412 if it has another version by now. Absent: the last change wins.',
    ),
};

const headersOf = { account: AccountHeadersSchema, paymaster: PaymasterHeadersSchema, none: undefined } as const;

function canBeNotFound(terms: RestTerms): boolean {
  const { missingCredentials, wrongAuthToken, wrongApiKey } = credentialErrors(terms);
  const errors = [missingCredentials, wrongAuthToken, wrongApiKey, ...(terms.errors ?? [])];
  return errors.some(({ status }) => status === 404);
}

/** The answers for credentials that are missing or not accepted (interface sections 5 and 7). */
export function credentialErrors({ credentials, unauthorized, wrongAuthToken, wrongApiKey }: RestTerms): {
  readonly missingCredentials: ErrorAnswer;
  readonly wrongAuthToken: ErrorAnswer;
  readonly wrongApiKey: ErrorAnswer;
} {
  const uniform = unauthorized ?? defaultUnauthorized[credentials];
  return {
    missingCredentials: uniform,
    wrongAuthToken: wrongAuthToken ?? uniform,
    wrongApiKey: wrongApiKey ?? uniform,
  };
}

const defaultUnauthorized = {
  account: managementErrors.authTokenRequired,
  paymaster: managementErrors.authTokenAndApiKeyRequired,
  none: managementErrors.authTokenNotAccepted,
} as const;

/** The limit of an operation's request body. */
export function bodyLimitOf({ body, getBody, bodyLimit = 'management' }: RestTerms): BodyLimit {
  return body === undefined && getBody === undefined ? 'none' : bodyLimit;
}

/** A 400 error with its own text, e.g. for a reached limit. */
export function limitError(message: string): ErrorAnswer<400> {
  return { status: 400, statusCode: 400, message };
}
