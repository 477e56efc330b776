import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toDomain, toWire } from '@tollfree/contract/fields/form';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Operation } from '@tollfree/contract/operation';
import type { Response } from 'express';
import { z } from 'zod';
import type { Core } from '../../core/domain/core.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { answer, done, doneWith, refusalResponse, UnexpectedRefusal } from './answer.ts';
import { callerOf, ownedBy } from './caller.ts';
import type { Handler, RestAnswer, RestCall } from './rest.ts';

type Perform = (input: unknown) => Promise<Result<unknown>>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Handles an operation by its description: converts the request to the core's form, calls the core's operation, and converts
 * the result to the API's form.
 */
export function handleOperation(core: Core, operation: Operation): Handler {
  const perform = performerOf(core, operation);
  return async (call) => {
    const etag = readIfMatch(operation, call.request);
    if (typeof etag === 'object') return refusalResponse(etag);
    const input = { ...inputOf(operation, call), ...omitAbsent({ etag }) };
    if (operation.streams !== undefined)
      return streamPages(operation, call, (page) => perform({ ...input, ...(page as Fields) }));
    return answer(await perform(input), (value) => {
      noteVersion(call.response, value);
      return successOf(operation, value);
    });
  };
}

/**
 * The version that a change is for, as one strong entity tag (RFC 9110). A call that cannot depend on it is refused: it would
 * be made whatever the object is.
 */
function readIfMatch({ method, versioned }: Operation, { headers }: RestCall['request']): string | Refusal | undefined {
  const given = headers['if-match'];
  if (given === undefined || method === 'GET') return undefined;
  if (versioned === undefined) return invalidIfMatch('is not supported by this call');
  return /^"([\x21\x23-\x7e]{1,100})"$/.exec(given.trim())?.[1] ?? invalidIfMatch('must be the ETag of the object');
}

function invalidIfMatch(requirement: string): Refusal {
  return { reason: 'INVALID_FIELD', message: `If-Match ${requirement}`, field: 'If-Match' };
}

/** An answer about one object has its version in the header, too. */
function noteVersion(response: RestCall['response'], value: unknown): void {
  if (typeof value !== 'object' || value === null || !('etag' in value)) return;
  response.setHeader('etag', `"${String(value.etag)}"`);
}

/** The success response for a value of the core. */
export function successOf({ message, data }: Operation, value: unknown): RestAnswer {
  const written = data === undefined ? undefined : toWire(data, value);
  return written === undefined ? done(message) : doneWith(message, written);
}

function performerOf(core: Core, operation: Operation): Perform {
  const name = 'calls' in operation ? operation.calls : operation.name;
  // The description's schemas match the operation of this name.
  return (core as unknown as Readonly<Record<string, Perform>>)[name] as Perform;
}

/** The core's input. The owner comes last, so that no sent field can replace it. */
function inputOf(operation: Operation, { params, query, body, request }: RestCall): Fields {
  return { ...params, ...queryOf(operation, query), ...bodyOf(operation, body), ...ownerOf(operation, request) };
}

function ownerOf({ credentials }: Operation, request: RestCall['request']): Fields {
  if (credentials === 'none') return {};
  return credentials === 'paymaster' ? ownedBy(request) : { accountId: callerOf(request).accountId };
}

function queryOf({ query: schema, queryAs }: Operation, query: Fields): Fields {
  if (schema === undefined) return {};
  const fields = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  if (queryAs === undefined) return fields;
  const { cursor, limit, ...rest } = fields;
  const page = { ...(cursor === undefined ? {} : { cursor }), ...(limit === undefined ? {} : { limit }) };
  return { ...page, [queryAs]: rest };
}

function bodyOf({ body: schema, bodyAs }: Operation, body: unknown): Fields {
  if (schema === undefined) return {};
  const read = toDomain(schema, body);
  return bodyAs === undefined ? (read as Fields) : { [bodyAs]: read };
}

/** The core's lists come as pages with a list and a cursor. */
function streamPages(operation: Operation, { response }: RestCall, readPage: Perform): Promise<RestAnswer> {
  return sendList(response, operation, async (cursor) => {
    const page = await readPage(cursor === undefined ? {} : { cursor });
    if (!page.ok) return page;
    const { [operation.streams as string]: values, nextCursor } = page.value as Fields;
    return { ok: true, value: { values: values as unknown[], nextCursor: nextCursor as string | undefined } };
  });
}

/** Reads a page of a list, the first one without a cursor. The last page has no next cursor. */
type ReadPage<Value> = (
  cursor?: string,
) => Promise<Result<{ readonly values: readonly Value[]; readonly nextCursor?: string | undefined }>>;

/**
 * Answers a list that may have many megabytes: written item by item, each in a separate turn of the event loop, and no
 * faster than the caller reads, so only one page is in memory. Its items are checked like every other answer.
 */
async function sendList(
  response: Response,
  { message, data }: Operation,
  readPage: ReadPage<unknown>,
): Promise<RestAnswer> {
  if (!(data instanceof z.ZodArray)) throw new TypeError('a list is streamed item by item');
  const first = await readPage();
  if (!first.ok) return refusalResponse(first.refusal);
  // Reading continues outside the caller's context.
  const pages = pagesFrom(first, AsyncResource.bind(readPage));
  const text = Readable.from(listText(pages, message, data.element as z.ZodType));
  // A started response cannot become an error: the connection ends before the list does.
  text.on('error', () => response.destroy());
  response.on('close', () => text.destroy());
  response.setHeader('content-type', 'application/json; charset=utf-8');
  return { status: 200, body: text };
}

async function* pagesFrom<Value>(
  first: Awaited<ReturnType<ReadPage<Value>>>,
  readPage: ReadPage<Value>,
): AsyncGenerator<readonly Value[]> {
  for (let page = first; ; ) {
    if (!page.ok) throw new UnexpectedRefusal(page.refusal);
    const { values, nextCursor } = page.value;
    yield values;
    if (nextCursor === undefined) return;
    page = await readPage(nextCursor);
  }
}

async function* listText(
  pages: AsyncIterable<readonly unknown[]>,
  message: string,
  schema: z.ZodType,
): AsyncGenerator<string> {
  yield `{"statusCode":200,"message":${JSON.stringify(message)},"data":[`;
  let separator = '';
  for await (const values of pages) {
    for (const value of values) {
      await nextTurn();
      yield `${separator}${JSON.stringify(schema.parse(toWire(schema, value)))}`;
      separator = ',';
    }
  }
  yield ']}';
}
