import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Result } from '../../core/domain/result/result.ts';
import { type ErrorResponse, refusalResponse, UnexpectedRefusal } from './answer.ts';

/** What a list is made of: its items by `schema`, each from a value of the core. */
type ListForm<Value, Schema extends z.ZodType, Message extends string> = {
  readonly message: Message;
  readonly schema: Schema;
  readonly item: (value: Value) => z.input<Schema>;
};

/** Reads a part of a list, the first one without a cursor. The last part has none for the next. */
type ReadPage<Value> = (
  cursor?: string,
) => Promise<Result<{ readonly values: readonly Value[]; readonly nextCursor?: string | undefined }>>;

/**
 * Answers a list that can be many megabytes of text: written item by item, each in a turn of the event loop of its own, and no
 * faster than the caller reads: one page of it is in memory. Its items are checked like every other answer.
 */
export async function sendList<Value, Schema extends z.ZodType, const Message extends string>(
  response: Response,
  readPage: ReadPage<Value>,
  form: ListForm<Value, Schema, Message>,
): Promise<{ status: 200; body: { statusCode: 200; message: Message; data: z.output<Schema>[] } } | ErrorResponse> {
  const first = await readPage();
  if (!first.ok) return refusalResponse(first.refusal);
  // Who reads on does so outside of what runs in the caller's name.
  const pages = pagesFrom(first, AsyncResource.bind(readPage));
  const text = Readable.from(listText(pages, form));
  // What has begun cannot become an error: the connection ends before the list does.
  text.on('error', () => response.destroy());
  response.on('close', () => text.destroy());
  response.setHeader('content-type', 'application/json; charset=utf-8');
  // ts-rest sends a stream as it is; its types know the body that the stream writes.
  return { status: 200, body: text as never };
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

async function* listText<Value, Schema extends z.ZodType>(
  pages: AsyncIterable<readonly Value[]>,
  { message, schema, item }: ListForm<Value, Schema, string>,
): AsyncGenerator<string> {
  yield `{"statusCode":200,"message":${JSON.stringify(message)},"data":[`;
  let separator = '';
  for await (const values of pages) {
    for (const value of values) {
      await nextTurn();
      yield `${separator}${JSON.stringify(schema.parse(item(value)))}`;
      separator = ',';
    }
  }
  yield ']}';
}
