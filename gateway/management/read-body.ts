import type { ErrorAnswer } from '@tollfree/contract/envelope';
import { managementErrors } from '@tollfree/contract/errors';
import { type BodyLimit, bodyLimitOf, type Operation } from '@tollfree/contract/operation';
import type { NextFunction, Request, Response } from 'express';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { BodiesUnderWay } from '../http/bodies-under-way.ts';
import { hasBody, type JsonBody, readJsonBody } from '../http/json-body.ts';
import { retryAfter, sendError } from '../http/send-json.ts';
import { createSlots } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/caller-address.ts';
import { findCaller } from './caller.ts';
import { operationOf, type Routed } from './rest.ts';

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const otherCharset = /;\s*charset\s*=\s*"?(?!utf-?8)/i;

const bodyErrors: Readonly<Record<Exclude<JsonBody['kind'], 'json'>, ErrorAnswer>> = {
  'too-large': managementErrors.bodyTooLarge,
  'too-slow': managementErrors.requestTimedOut,
  'not-utf8': managementErrors.bodyNotJson,
  encoded: managementErrors.bodyTypeNotSupported,
  'not-json': managementErrors.bodyNotJson,
  'too-deep': managementErrors.bodyTooDeep,
  aborted: managementErrors.requestNotValid,
};

/** Whether a body of this type is read as JSON; one without a type is. */
export function isJsonType(type: string | undefined): boolean {
  return type === undefined || (jsonType.test(type) && !otherCharset.test(type));
}

/** Largest body in bytes, by the kind of route. */
type MaxBodyBytes = Readonly<Record<Exclude<BodyLimit, 'none'>, number>>;

export function maxBodyBytesOf(limits: GatewayLimits): MaxBodyBytes {
  return { management: limits.managementBodyBytes, rpc: limits.rpcBodyBytes, abi: limits.abiBodyBytes };
}

/**
 * Middleware that reads a route's JSON body after authentication. A route with a body gets `{}` if none was sent, so that
 * validation names the first missing field; a GET gets undefined.
 */
export function createReadBody(limits: GatewayLimits, underWay: BodiesUnderWay) {
  const maxBytes = maxBodyBytesOf(limits);
  return async (request: Request & Routed, response: Response, next: NextFunction): Promise<void> => {
    const limit = bodyLimitOf(operationOf(request));
    if (limit === 'none' || !hasBody(request)) {
      request.body = request.method === 'GET' ? undefined : {};
      next();
      return;
    }
    if (!isJsonType(request.headers['content-type'])) {
      sendError(response, managementErrors.bodyTypeNotSupported);
      return;
    }
    const body = await readJsonBody(request, {
      maxBytes: maxBytes[limit],
      maxDepth: limits.jsonDepth,
      underWay,
      maxValues: limit === 'abi' ? 2 * limits.jsonValues : limits.jsonValues,
    });
    if (body.kind !== 'json') {
      sendError(response, bodyErrors[body.kind]);
      return;
    }
    request.body = body.value;
    next();
  };
}

/**
 * Memory of one account's concurrent requests, in counted bytes; a request takes a few times as much. Enough for 7 of the
 * largest ABIs or 8 long lists at once.
 */
const maxBytesOfAccount = 4 * 1024 * 1024;
/** Counted bytes of a request in addition to its body, and of the page that a long list keeps in memory. */
const bytesOfRequest = 4 * 1024;
const bytesOfLongList = 500 * 1024;
const waitMs = 1_000;

/**
 * Middleware that bounds the memory of one account's concurrent requests, until they are answered and the caller has read
 * the answer. It refuses excess requests before reading their body. Requests without an account count by their address.
 */
export function createShareMemory(maxBodyBytes: MaxBodyBytes, clientAddress: ClientAddress) {
  const places = createSlots(Infinity, maxBytesOfAccount);
  return (request: Request & Routed, response: Response, next: NextFunction): void => {
    const owner = findCaller(request)?.accountId ?? clientAddress(request);
    const leave = places.take(owner, bytesOf(request, operationOf(request), maxBodyBytes));
    if (leave === undefined) {
      sendError(response, managementErrors.tooManyRequests, retryAfter(waitMs));
      return;
    }
    response.once('close', leave);
    next();
  };
}

function bytesOf(request: Request, operation: Operation, maxBodyBytes: MaxBodyBytes): number {
  const body = bodyLimitOf(operation);
  const bytes = operation.streams !== undefined ? bytesOfRequest + bytesOfLongList : bytesOfRequest;
  if (body === 'none' || !hasBody(request)) return bytes;
  const length = Number(request.headers['content-length'] ?? Infinity);
  return bytes + Math.min(length, maxBodyBytes[body]);
}
