import type { JsonRpcError, JsonRpcErrorResponse, JsonRpcId } from '@tollfree/contract/rpc/json-rpc';
import type { LimitKind } from '@tollfree/contract/rpc/limit-kinds';
import type { ThenPayInToken } from '@tollfree/contract/rpc/refusals';
import { SponsorshipRefusedError, TransportError, unexpectedAnswer } from '../errors/errors.ts';
import { checkAddress, createFetchSend, defaultTimeoutMs, type Fetch, parseJson } from '../http/fetch-send.ts';
import {
  type Read,
  readArray,
  readInteger,
  readNumber,
  readObject,
  readOneOf,
  readOptional,
  readOrNothing,
  readRecord,
  readText,
} from './read-form.ts';

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

type ErrorData = NonNullable<JsonRpcError['data']>;
type Offer = ThenPayInToken['tokens'][number];

const readId: Read<JsonRpcId> = (value) => {
  if (value === null) return null;
  return typeof value === 'number' ? readNumber(value) : readText(value);
};

const readThenPayInToken = readObject<ThenPayInToken>({
  ask: readObject<ThenPayInToken['ask']>({ method: readText, mode: readOneOf('ERC20') }),
  tokens: readArray(readObject<Offer>({ address: readText, symbol: readText, decimals: readInteger })),
});

type KnownData = Pick<ErrorData, 'reason' | 'limitKind' | 'resetsAt' | 'decisionId' | 'field' | 'thenPayInToken'>;
const readKnownData = readObject<KnownData>({
  reason: readText,
  // A newer service may know others.
  limitKind: readOptional(readText as Read<LimitKind>),
  resetsAt: readOptional(readInteger),
  decisionId: readOptional(readText),
  field: readOptional(readText),
  thenPayInToken: readOptional(readThenPayInToken),
});

/** Unknown fields are kept. */
const readErrorData: Read<ErrorData> = (value) => ({ ...readRecord(value), ...readKnownData(value) });

/** The answer of a service that refuses. */
const readRefusal = readObject<JsonRpcErrorResponse>({
  jsonrpc: readOneOf('2.0'),
  id: readId,
  error: readObject<JsonRpcError>({ code: readInteger, message: readText, data: readOptional(readErrorData) }),
});

/** The answer of a service that does what was asked. */
const readSuccess = readObject<{ jsonrpc: '2.0'; id: JsonRpcId; result: unknown }>({
  jsonrpc: readOneOf('2.0'),
  id: readId,
  result: (value) => value,
});

/**
 * Carries one JSON-RPC request as JSON text and gives back the answer's HTTP status and text, unparsed: a parse and
 * another stringify would round its large integers. Rejects when no answer came.
 */
export type SponsorTransport = (request: string) => Promise<{ readonly status: number; readonly text: string }>;

export type HttpTransportOptions = {
  /** RPC endpoint of a paymaster: `https://gas.example.org/api/v2/{chainId}/{apiKey}`. */
  readonly url: string;
  /** Sends the requests instead of the platform's own `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Longest wait for one answer, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
};

/** Sends over HTTP. Throws a `TypeError` when `url` is not an http or https URL. */
export function httpTransport(options: HttpTransportOptions): SponsorTransport {
  const { url, fetch, timeoutMs = defaultTimeoutMs } = options;
  checkAddress('url', url);
  const send = createFetchSend({ fetch, timeoutMs });
  return (body) => send({ url, method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
