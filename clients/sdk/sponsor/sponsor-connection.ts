import { SponsorshipRefusedError } from '../errors/sponsorship-refused-error.ts';
import { TransportError, unexpectedAnswer } from '../errors/transport-error.ts';
import { type Read, readOrNothing } from '../form/read.ts';
import { parseJson } from '../http/parse-json.ts';
import { readRefusal, readSuccess } from './rpc-answer.ts';
import type { SponsorTransport } from './sponsor-transport.ts';

/** The first argument of the sponsorship actions: makes one JSON-RPC call. */
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

/** Connects to nothing yet. Requests are numbered from 1. */
export function connectSponsor(transport: SponsorTransport): SponsorConnection {
  let lastId = 0;
  return {
    async call(method, params) {
      lastId += 1;
      const id = lastId;
      const { status, text } = await carry(transport, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const answer = parseJson({ status, text });
      const refused = readOrNothing(readRefusal, answer);
      if (refused !== undefined) throw new SponsorshipRefusedError(refused.error, status);
      const success = readOrNothing(readSuccess, answer);
      if (success === undefined || success.result === undefined || success.id !== id || status !== 200) {
        throw unexpectedAnswer(status, 'is not one to the JSON-RPC request');
      }
      return { result: success.result, status, text };
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

/** Reads a result. Throws a `TransportError` when it is not in the method's form. */
export function checkResult<T>(answer: RpcAnswer, read: Read<T>): T {
  const result = readOrNothing(read, answer.result);
  if (result === undefined) throw unexpectedAnswer(answer.status, 'is not in the form of the method');
  return result;
}
