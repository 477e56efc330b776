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

/** What the audit log records of a change: which objects it compares before and after. */
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

/** What the core, its gRPC service and its audit log must know about an operation. */
export type CoreTerms = {
  /**
   * Whether it may be carried out twice: if a core was lost that may have done it, another core is asked again. True for
   * reads and for changes that set a whole value. Otherwise the caller learns that the outcome is unknown.
   */
  readonly repeatable: boolean;
  /** What it changes. Absent: nothing that anyone manages. */
  readonly changes?: AuditLabel;
  /**
   * Who may make the change, where that is not decided by `scopes`: anyone whose credential is still accepted
   * (`any member`), anyone at all (`anyone`), or the operator alone.
   */
  readonly author?: 'any member' | 'anyone' | 'operator';
  /** Longest time it may take, in milliseconds, where that is more than for others. */
  readonly deadlineMs?: number;
};

/** Largest request body a route reads: none, the plain limit, the one of the RPC endpoint, or the wider one for an ABI. */
export type BodyLimit = 'none' | 'management' | 'rpc' | 'abi';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An operation of the management interface as it is written down, once. */
export type RestTerms = {
  readonly method: Method;
  /** Below {@link managementPrefix}. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Which headers name the caller: the account's, also the paymaster's, or none because anyone may call it. */
  readonly credentials: 'account' | 'paymaster' | 'none';
  /** Scopes that the authToken or session needs. */
  readonly scopes: readonly Scope[];
  readonly pathParams?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The plain limit if absent. */
  readonly bodyLimit?: BodyLimit;
  /** Schema of a body that a GET may carry. */
  readonly getBody?: z.ZodType;
  /** `message` of the success. */
  readonly message: string;
  /** `data` of the success, where it has any. */
  readonly data?: z.ZodType;
  /** Errors with a text of their own. */
  readonly errors?: readonly ErrorAnswer[];
  /** The answer for missing or wrong credentials, where it differs from that of other operations. */
  readonly unauthorized?: ErrorAnswer;
  readonly wrongAuthToken?: ErrorAnswer;
  readonly wrongApiKey?: ErrorAnswer;
  /**
   * The list in a page of the core whose items the answer streams: all pages can have many megabytes in total. Only a few
   * such answers are sent at once.
   */
  readonly streams?: string;
  /** For pages of the dashboard, which have a session: other clients have no use for it. */
  readonly inBrowser?: true;
  /** The field of the input that is the whole body, where the body's fields are not fields of the input. */
  readonly bodyAs?: string;
  /** The key of the core's input that holds the query, except `cursor` and `limit`. */
  readonly queryAs?: string;
};

/**
 * The core's side of a route: its terms; or the name of an operation that is described elsewhere and that this route
 * calls too. `rpc` is the name in the gRPC service and the audit log, where the operation has an older name there.
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

/** An operation with everything that follows from its description. */
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
  const headers = headersOf[credentials];
  const success =
    data === undefined
      ? envelope(message)
      : data instanceof z.ZodOptional
        ? envelope(message).extend({ data })
        : envelopeWith(message, data);
  const responses = {
    ...commonErrorResponses,
    ...(canBeNotFound(description) ? { 404: ErrorEnvelopeSchema } : {}),
    200: success,
  };
  // What its types say of headers and responses was just made from the same description.
  return { ...description, name, headers, responses } as unknown as Operation<Name, D>;
}

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

/** An answer of 400 with a text of its own, such as for a limit that is reached. */
export function limitError(message: string): ErrorAnswer<400> {
  return { status: 400, statusCode: 400, message };
}
