import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Result } from '../../core/domain/result/result.ts';
import { type ErrorResponse, refusalResponse } from './answer.ts';

/** What a list is made of: its items by `schema`, each from a value of the core. */
type ListForm<Value, Schema extends z.ZodType, Message extends string> = {
  readonly message: Message;
  readonly schema: Schema;
  readonly item: (value: Value) => z.input<Schema>;
};

/**
 * Answers a list that can be many megabytes of text: written item by item, each in a turn of the event loop of its own, and no
 * faster than the caller reads. Its items are checked like every other answer.
 */
export function sendList<Value, Schema extends z.ZodType, const Message extends string>(
  response: Response,
  result: Result<readonly Value[]>,
  form: ListForm<Value, Schema, Message>,
): { status: 200; body: { statusCode: 200; message: Message; data: z.output<Schema>[] } } | ErrorResponse {
  if (!result.ok) return refusalResponse(result.refusal);
  const text = Readable.from(listText(result.value, form));
  // What has begun cannot become an error: the connection ends before the list does.
  text.on('error', () => response.destroy());
  response.on('close', () => text.destroy());
  response.setHeader('content-type', 'application/json; charset=utf-8');
  // ts-rest sends a stream as it is; its types know the body that the stream writes.
  return { status: 200, body: text as never };
}

async function* listText<Value, Schema extends z.ZodType>(
  values: readonly Value[],
  { message, schema, item }: ListForm<Value, Schema, string>,
): AsyncGenerator<string> {
  yield `{"statusCode":200,"message":${JSON.stringify(message)},"data":[`;
  for (const [index, value] of values.entries()) {
    await nextTurn();
    yield `${index === 0 ? '' : ','}${JSON.stringify(schema.parse(item(value)))}`;
  }
  yield ']}';
}
