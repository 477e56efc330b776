import type { IncomingMessage, ServerResponse } from 'node:http';
import { counted } from '@tollfree/contract/counted';
import { managementErrors } from '@tollfree/contract/errors';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { JsonRpcId } from '@tollfree/contract/rpc/json-rpc';
import type { jsonRpcErrors } from '@tollfree/contract/rpc/json-rpc-errors';
import { errorsShowInHttpStatus } from '@tollfree/contract/rpc/refusals';
import pLimit from 'p-limit';
import type { Refusal, RefusalReason } from '../../core/domain/result/refusal.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { BodiesUnderWay } from '../http/bodies-under-way.ts';
import { type JsonBody, readJsonBody } from '../http/json-body.ts';
import { retryAfter, sendError, sendJsonText } from '../http/send-json.ts';
import { type AccessLimits, createSlots } from '../limits/access-limits.ts';
import type { CallerAddress, ClientAddress } from '../limits/caller-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { jsonArray } from './json.ts';
import { openToBrowsers, preflight } from './open-to-browsers.ts';
import { type RpcPath, type RpcRequest, readChainId, readRequest } from './read-request.ts';
import { protocolErrorResponse, type RpcResponse, refusalResponse } from './rpc-response.ts';
import type { RpcContext, RpcServer } from './rpc-server.ts';

/** Longest apiKey that is looked up. */
const maxApiKeyLength = 128;

const wrongChainId: Refusal = {
  reason: 'CHAIN_NOT_SUPPORTED',
  message: 'The chain id in the address of the endpoint must be a positive whole number',
};
const unknownKey: Refusal = { reason: 'UNAUTHORIZED', message: 'The apiKey in the address is not accepted' };

const rateLimited: Readonly<Record<'logins' | 'requests' | 'atOnce', Refusal>> = {
  logins: { reason: 'RATE_LIMITED', message: 'Too many requests with wrong apiKeys from this address' },
  requests: { reason: 'RATE_LIMITED', message: 'Too many requests' },
  atOnce: {
    reason: 'RATE_LIMITED',
    message: 'Too many requests are in progress, in total or from this address. Send fewer at once, and later.',
  },
};

/** Serves the RPC endpoint's two addresses. */
type RpcEndpoint = (
  request: IncomingMessage,
  response: ServerResponse,
  path: RpcPath,
  requestId: string,
) => Promise<void>;

type RpcEndpointParts = {
  readonly server: RpcServer;
  readonly limits: GatewayLimits;
  readonly accessLimits: AccessLimits;
  readonly underWay: BodiesUnderWay;
  readonly clientAddress: ClientAddress;
  readonly callerAddress: CallerAddress;
  readonly metrics: GatewayMetrics;
};

/** The caller and its endpoint address, once per HTTP request. */
type Visit = Pick<RpcContext, 'requestId' | 'from' | 'bearer'> & { readonly path: RpcPath; readonly address: string };

/** The answer to a body that is not readable JSON. */
function bodyError(kind: Exclude<JsonBody['kind'], 'json'>): RpcResponse {
  switch (kind) {
    case 'too-large':
      return { ...protocolErrorResponse(null, 'invalidRequest', 'Request body is too large'), httpStatus: 413 };
    case 'too-slow':
      return {
        ...protocolErrorResponse(null, 'invalidRequest', 'Request was not received in time'),
        httpStatus: 408,
      };
    case 'encoded':
      return {
        ...protocolErrorResponse(null, 'invalidRequest', 'Compressed bodies are not supported'),
        httpStatus: 415,
      };
    case 'too-deep':
      return protocolErrorResponse(null, 'invalidRequest', 'Request body is nested too deeply');
    default:
      return protocolErrorResponse(null, 'parseError', 'Request body is not valid JSON');
  }
}

type AnswerRequest = (read: ReturnType<typeof readRequest>, visit: Visit) => Promise<RpcResponse>;

/** Answers one element, with the HTTP status that the clients of its method expect. */
function createAnswerElement(parts: RpcEndpointParts): (sent: unknown, visit: Visit) => Promise<RpcResponse> {
  const answer = createAnswerRequest(parts);
  return async (sent, visit) => {
    const read = readRequest(sent);
    const answered = await answer(read, visit);
    return 'request' in read ? inExpectedStatus(read.request, answered) : answered;
  };
}

/** The answer with the HTTP status that the clients of its method expect. */
function inExpectedStatus(request: RpcRequest, answer: RpcResponse): RpcResponse {
  return errorsShowInHttpStatus(request) ? answer : { ...answer, httpStatus: 200 };
}

/** Refusals of requests that no one could serve: they count under the caller's address, not under the shared key. */
const notServable: ReadonlySet<string | undefined> = new Set<keyof typeof jsonRpcErrors | RefusalReason>([
  'parseError',
  'invalidRequest',
  'methodNotFound',
  'INVALID_PARAMS',
]);

/** Checks rate limit, envelope, address and method, in this order. */
function createAnswerRequest({ server, accessLimits }: RpcEndpointParts): AnswerRequest {
  return async (read, { path, address, from, requestId, bearer }) => {
    const key = `${path.chainId}/${path.apiKey}`;
    const id: JsonRpcId = 'request' in read ? read.request.id : null;
    const refuse = (refusal: Refusal) => refusalResponse(id, refusal, requestId);
    const waitMs = accessLimits.takeRpcCall(key, address);
    if (waitMs > 0) return { ...refuse(rateLimited.requests), retryAfterMs: waitMs };
    if ('response' in read) {
      accessLimits.giveBackRpcCall(key, address);
      return read.response;
    }
    const chainId = readChainId(path.chainId);
    if (chainId === undefined) return refuse(wrongChainId);
    const answer =
      path.apiKey.length > maxApiKeyLength
        ? refuse(unknownKey)
        : await server(read.request, {
            chainId,
            apiKey: path.apiKey,
            clientAddress: address,
            from,
            requestId,
            ...omitAbsent({ bearer }),
          });
    if (answer.reason === 'UNAUTHORIZED') {
      const blockedMs = accessLimits.rememberRpcKey(key, 'rejected', address);
      return blockedMs > 0 ? { ...refuse(rateLimited.logins), retryAfterMs: blockedMs } : answer;
    }
    if (answer.keyAccepted === true) accessLimits.rememberRpcKey(key, 'accepted', address);
    if (notServable.has(answer.reason)) accessLimits.giveBackRpcCall(key, address);
    return answer;
  };
}

/** The bearer token of RFC 6750, 2.1: here a user's ticket. Other schemes belong to proxies in front of the service. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([\w.~+/=-]+)$/i.exec(header)?.[1];
}

/** Builds the endpoint: bounded body, single requests and batches, CORS. */
export function createRpcEndpoint(parts: RpcEndpointParts): RpcEndpoint {
  const { limits, underWay, clientAddress, callerAddress, metrics } = parts;
  const { rpcBodyBytes: maxBytes, jsonDepth: maxDepth, jsonValues: maxValues } = limits;
  const answerElement = createAnswerElement(parts);
  const places = createSlots(limits.requestsAtOnce);

  async function answerCounted(sent: unknown, visit: Visit): Promise<RpcResponse> {
    const answer = await answerElement(sent, visit);
    if (answer.reason !== undefined) metrics.countRefusal(answer.reason);
    return answer;
  }

  async function answerBatch(batch: readonly unknown[], visit: Visit): Promise<RpcResponse> {
    if (batch.length === 0) return protocolErrorResponse(null, 'invalidRequest', 'A batch must not be empty');
    if (batch.length > limits.batchSize) {
      return protocolErrorResponse(
        null,
        'invalidRequest',
        `A batch has at most ${counted(limits.batchSize, 'request')}`,
      );
    }
    const slots = pLimit(limits.batchConcurrency);
    const answers = await Promise.all(batch.map((sent) => slots(answerCounted, sent, visit)));
    return { jsonText: jsonArray(answers.map((answer) => answer.jsonText)), httpStatus: 200 };
  }

  /**
   * Answers a parsed body, if a slot is free. Reading a body takes no slot, since a thousand slow senders would block
   * everyone else.
   */
  async function answerBody(sent: unknown, visit: Visit): Promise<RpcResponse> {
    const leave = places.take(visit.address);
    if (leave === undefined) return refuseBusy(sent, visit);
    try {
      return await (Array.isArray(sent) ? answerBatch(sent, visit) : answerCounted(sent, visit));
    } finally {
      leave();
    }
  }

  function refuseBusy(sent: unknown, { requestId }: Visit): RpcResponse {
    metrics.countRefusal(rateLimited.atOnce.reason);
    const read = readRequest(sent);
    if (!('request' in read)) return refusalResponse(null, rateLimited.atOnce, requestId);
    return inExpectedStatus(read.request, refusalResponse(read.request.id, rateLimited.atOnce, requestId));
  }

  function send(response: ServerResponse, answer: RpcResponse): void {
    const wait = answer.retryAfterMs === undefined ? {} : retryAfter(answer.retryAfterMs);
    // Not every method's answer has a field for the id; a batch has one per answer and no header.
    const decision = answer.decisionId === undefined ? {} : { 'x-decision-id': answer.decisionId };
    sendJsonText(response, answer.httpStatus, answer.jsonText, { ...wait, ...decision });
  }

  return async (request, response, path, requestId) => {
    // Set first, so that a fault is also readable in browsers.
    response.setHeaders(openToBrowsers);
    if (request.method === 'OPTIONS') {
      response.writeHead(204, preflight).end();
      return;
    }
    if (request.method !== 'POST') {
      sendError(response, managementErrors.methodNotAllowed, { allow: 'POST, OPTIONS' });
      return;
    }
    const body = await readJsonBody(request, { maxBytes, maxDepth, maxValues, underWay });
    if (body.kind !== 'json') {
      send(response, bodyError(body.kind));
      return;
    }
    const bearer = bearerToken(request.headers.authorization);
    const from = omitAbsent({ origin: request.headers.origin, address: callerAddress(request) });
    const visit = { path, address: clientAddress(request), from, requestId, ...omitAbsent({ bearer }) };
    send(response, await answerBody(body.value, visit));
  };
}
