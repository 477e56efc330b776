import type { ErrorAnswer } from '@tollfree/contract/envelope';
import { managementErrors } from '@tollfree/contract/errors';
import { type BodyLimit, bodyLimitOf } from '@tollfree/contract/operation';
import type { NextFunction, Request, Response } from 'express';
import type { GatewayLimits } from '../gateway-limits.ts';
import { hasBody, type JsonBody, readJsonBody } from '../http/json-body.ts';
import { sendError } from '../http/send-json.ts';
import { operationOf, type Routed } from './rest.ts';

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const otherCharset = /;\s*charset\s*=\s*"?(?!utf-?8)/i;

const bodyErrors: Readonly<Record<Exclude<JsonBody['kind'], 'json'>, ErrorAnswer>> = {
  'too-large': managementErrors.bodyTooLarge,
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
export type MaxBodyBytes = Readonly<Record<Exclude<BodyLimit, 'none'>, number>>;

export function maxBodyBytesOf(limits: GatewayLimits): MaxBodyBytes {
  return { management: limits.managementBodyBytes, rpc: limits.rpcBodyBytes, abi: limits.abiBodyBytes };
}

/**
 * Middleware that reads a route's JSON body after authentication. A route with a body gets `{}` if none was sent, so that
 * validation names the first missing field; a GET gets undefined.
 */
export function createReadBody(maxBytes: MaxBodyBytes, maxDepth: number) {
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
    const body = await readJsonBody(request, maxBytes[limit], maxDepth);
    if (body.kind !== 'json') {
      sendError(response, bodyErrors[body.kind]);
      return;
    }
    request.body = body.value;
    next();
  };
}
