import { ErrorEnvelopeSchema } from '@tollfree/contract/envelope';
import type { ApiFetcherArgs } from '@ts-rest/core';
import { z } from 'zod';
import { unexpectedAnswer } from '../errors/transport-error.ts';
import type { HttpSend } from '../http/http-send.ts';
import { parseJson } from '../http/parse-json.ts';

const jsonType = { 'content-type': 'application/json' };

/** JSON text of the body that a GET carries where it can; ts-rest has no place for one. */
export type GetBody = { readonly getBody?: string };

/**
 * Makes one call of the management interface for ts-rest. Every answer is checked against the contract: what is not in
 * its form becomes a `TransportError`. `sendWithBody` is there where a body can go with GET.
 */
export function createManagementFetcher(parts: { send: HttpSend; sendWithBody: HttpSend | undefined }) {
  return async (call: ApiFetcherArgs & GetBody): Promise<{ status: number; body: unknown; headers: Headers }> => {
    const { route, path, method, headers, body, getBody } = call;
    const answer = await (getBody === undefined || parts.sendWithBody === undefined
      ? parts.send({ url: path, method, headers, ...(typeof body === 'string' ? { body } : {}) })
      : parts.sendWithBody({ url: path, method, headers: { ...headers, ...jsonType }, body: getBody }));
    const { status } = answer;
    const schema: unknown = status === 200 ? route.responses[200] : ErrorEnvelopeSchema;
    if (!(schema instanceof z.ZodType)) throw new Error(`the contract has no schema for ${method} ${route.path}`);
    const parsed = schema.safeParse(parseJson(answer));
    if (!parsed.success) throw unexpectedAnswer(status, 'is not in the form of the management interface');
    return { status, body: parsed.data, headers: answer.headers };
  };
}
