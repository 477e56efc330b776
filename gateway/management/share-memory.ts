import { managementErrors } from '@tollfree/contract/errors';
import { bodyLimitOf, type Operation } from '@tollfree/contract/operation';
import type { NextFunction, Request, Response } from 'express';
import { hasBody } from '../http/json-body.ts';
import { retryAfter, sendError } from '../http/send-json.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import { createSlots } from '../limits/slots.ts';
import { findCaller } from './caller.ts';
import type { MaxBodyBytes } from './read-body.ts';
import { operationOf, type Routed } from './rest.ts';

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
