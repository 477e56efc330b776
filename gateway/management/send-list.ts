import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toWire } from '@tollfree/contract/fields/form';
import type { Operation } from '@tollfree/contract/operation';
import type { Response } from 'express';
import { z } from 'zod';
import type { Result } from '../../core/domain/result/result.ts';
import { refusalResponse, UnexpectedRefusal } from './answer.ts';
import type { RestAnswer } from './rest.ts';

/** Reads a page of a list, the first one without a cursor. The last page has no next cursor. */
type ReadPage<Value> = (
  cursor?: string,
) => Promise<Result<{ readonly values: readonly Value[]; readonly nextCursor?: string | undefined }>>;

/**
 * Answers a list that may have many megabytes: written item by item, each in a separate turn of the event loop, and no
 * faster than the caller reads, so only one page is in memory. Its items are checked like every other answer.
 */
export async function sendList(
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
