import { JsonRpcErrorResponseSchema, JsonRpcIdSchema } from '@tollfree/contract/rpc/json-rpc';
import { z } from 'zod';
import { SponsorshipRefusedError } from '../errors/sponsorship-refused-error.ts';
import { TransportError, unexpectedAnswer } from '../errors/transport-error.ts';
import { parseJson } from '../http/parse-json.ts';
import type { SponsorTransport } from './sponsor-transport.ts';

/** What the sponsorship actions take first: a way to make one JSON-RPC call. */
export type SponsorConnection = {
  /**
   * Makes one call. Rejects with `SponsorshipRefusedError` when the service refuses, with `TransportError` when no
   * answer of the service came.
   */
  readonly call: (method: string, params: readonly unknown[]) => Promise<RpcAnswer>;
};

/** The result of a call, to be checked by its method, and what is needed to check it. */
export type RpcAnswer = {
  readonly result: unknown;
  readonly status: number;
  /** The whole answer's JSON text: `result` has lost digits of large numbers. */
  readonly text: string;
};

const SuccessSchema = z.object({ jsonrpc: z.literal('2.0'), id: JsonRpcIdSchema, result: z.unknown() });

/** Connects to nothing yet. Requests are numbered from 1. */
export function connectSponsor(transport: SponsorTransport): SponsorConnection {
  let lastId = 0;
  return {
    async call(method, params) {
      lastId += 1;
      const id = lastId;
      const { status, text } = await carry(transport, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const answer = parseJson({ status, text });
      const refused = JsonRpcErrorResponseSchema.safeParse(answer);
      if (refused.success) throw new SponsorshipRefusedError(refused.data.error, status);
      const success = SuccessSchema.safeParse(answer);
      if (!success.success || success.data.result === undefined || success.data.id !== id || status !== 200) {
        throw unexpectedAnswer(status, 'is not one to the JSON-RPC request');
      }
      return { result: success.data.result, status, text };
    },
  };
}

async function carry(transport: SponsorTransport, request: string): ReturnType<SponsorTransport> {
  try {
    return await transport(request);
  } catch (cause) {
    if (cause instanceof TransportError) throw cause;
    throw new TransportError('The transport failed.', { failure: 'unreachable', cause });
  }
}

/** Checks a result with a schema. Throws a `TransportError` when it is not in the method's form. */
export function checkResult<Schema extends z.ZodType>(answer: RpcAnswer, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(answer.result);
  if (!parsed.success) throw unexpectedAnswer(answer.status, 'is not in the form of the method');
  return parsed.data;
}
