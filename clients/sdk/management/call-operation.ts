import { ErrorEnvelopeSchema } from '@tollfree/contract/envelope';
import { managementPrefix, type Operation } from '@tollfree/contract/operation';
import { TollfreeApiError, unexpectedAnswer } from '../errors/errors.ts';
import { type HttpAnswer, type HttpSend, parseJson } from '../http/fetch-send.ts';

/** A connection to the service as one account. `sendWithBody` exists if a body can be sent with GET. */
export type ManagementConnection = {
  readonly baseUrl: string;
  readonly authToken: string;
  readonly apiKey: string | undefined;
  readonly send: HttpSend;
  readonly sendWithBody: HttpSend | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

/** The body of the only GET with a body (interface 4.1). The service also works without it. */
const getBodyText = JSON.stringify({ webhookUrl: '' });

/**
 * Calls an operation with its path parameters, query and body in one object, and returns the `data` of the answer. Every
 * answer is checked against the contract: an invalid one becomes a `TransportError`, a refusal a `TollfreeApiError`. Throws
 * a `TypeError` if the call acts on a paymaster and neither the call nor the client names its apiKey.
 */
export async function callOperation(
  connection: ManagementConnection,
  operation: Operation,
  parameters: Fields = {},
): Promise<unknown> {
  const { etag, ...others } = parameters;
  const { headers, fields } = headersAndFields(connection, operation, operation.versioned ? others : parameters);
  const { url, rest } = urlOf(connection, operation, fields);
  refuseLeftOver(operation, rest);
  const { method, body, bodyAs, getBody } = operation;
  const answer = await sendIt(connection, {
    url,
    method,
    headers: operation.versioned && etag !== undefined ? { ...headers, 'if-match': `"${String(etag)}"` } : headers,
    body: body === undefined ? undefined : JSON.stringify(bodyAs === undefined ? rest : rest[bodyAs]),
    getBody: getBody === undefined ? undefined : getBodyText,
  });
  return dataOf(operation, answer);
}

/** The service refuses unknown fields of a body; others would be dropped here without a word. */
function refuseLeftOver({ name, body, bodyAs }: Operation, rest: Fields): void {
  if (body !== undefined && bodyAs === undefined) return;
  const leftOver = Object.keys(rest).find((field) => field !== bodyAs && rest[field] !== undefined);
  if (leftOver !== undefined) throw new TypeError(`${name} has no parameter ${leftOver}.`);
}

function headersAndFields(
  { authToken, apiKey: ofClient }: ManagementConnection,
  { credentials }: Operation,
  { apiKey = ofClient, ...fields }: Fields,
) {
  if (credentials !== 'paymaster') return { headers: { authtoken: authToken }, fields };
  if (typeof apiKey !== 'string') {
    throw new TypeError('This call acts on one paymaster: give its apiKey to the client or to the call.');
  }
  return { headers: { authtoken: authToken, apikey: apiKey }, fields };
}

/** Puts path and query fields into the URL. The rest goes into the body. */
function urlOf({ baseUrl }: ManagementConnection, { path, query: schema }: Operation, fields: Fields) {
  const rest: Record<string, unknown> = { ...fields };
  const take = (name: string) => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(take(name))));
  const query = Object.keys(schema?.shape ?? {}).flatMap((name) => {
    const value = take(name);
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
  });
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  return { url: `${baseUrl}${managementPrefix}${filled}${search}`, rest };
}

type Request = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly getBody: string | undefined;
};

function sendIt({ send, sendWithBody }: ManagementConnection, request: Request): Promise<HttpAnswer> {
  const { url, method, headers, body, getBody } = request;
  const text = body ?? (sendWithBody && getBody);
  if (text === undefined) return send({ url, method, headers });
  const withBody = { url, method, headers: { ...headers, 'content-type': 'application/json' }, body: text };
  return body === undefined && sendWithBody !== undefined ? sendWithBody(withBody) : send(withBody);
}

function dataOf({ responses }: Operation, answer: HttpAnswer): unknown {
  const { status, headers } = answer;
  const parsed = (status === 200 ? responses[200] : ErrorEnvelopeSchema).safeParse(parseJson(answer));
  if (!parsed.success) throw unexpectedAnswer(status, 'is not in the form of the management interface');
  if (status === 200) return (parsed.data as { readonly data?: unknown }).data;
  const { statusCode, message } = ErrorEnvelopeSchema.parse(parsed.data);
  throw new TollfreeApiError({ status, statusCode, message, retryAfter: retryAfterOf(headers) });
}

/** The service sends whole seconds. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
