import { managementErrors } from '@tollfree/contract/errors';
import { metadataOf, type RouteMetadata } from '@tollfree/contract/route-metadata';
import type { NextFunction, Request, Response } from 'express';
import type { Core } from '../../core/domain/core.ts';
import type { RefusalReason } from '../../core/domain/result/refusal.ts';
import { retryAfter, sendError } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { UnexpectedRefusal } from './answer.ts';
import { rememberCaller } from './caller.ts';

type Credentials = { readonly authToken: string; readonly apiKey?: string };

const bearer = /^Bearer +(\S+) *$/i;

/** The token of the header `authToken`, or of `Authorization: Bearer` (RFC 6750); nothing when both are there and differ. */
function readAuthToken({ headers }: Request): string | undefined {
  const inAuthToken = typeof headers.authtoken === 'string' && headers.authtoken !== '' ? headers.authtoken : undefined;
  const [, inAuthorization] = bearer.exec(headers.authorization ?? '') ?? [];
  if (inAuthToken === undefined || inAuthorization === undefined) return inAuthToken ?? inAuthorization;
  return inAuthToken === inAuthorization ? inAuthToken : undefined;
}

/**
 * The credentials a route needs, or undefined when one of them is missing. An apiKey that was not asked for is not
 * read.
 */
function readCredentials(request: Request, metadata: RouteMetadata): Credentials | undefined {
  const { apikey: apiKey } = request.headers;
  const authToken = readAuthToken(request);
  if (authToken === undefined) {
    return undefined;
  }
  if (metadata.apiKey === 'not sent') {
    return { authToken };
  }
  return typeof apiKey === 'string' && apiKey !== '' ? { authToken, apiKey } : undefined;
}

function answerForRejected(reason: RefusalReason, metadata: RouteMetadata) {
  if (reason === 'UNAUTHENTICATED') {
    return metadata.wrongAuthToken;
  }
  return reason === 'API_KEY_NOT_ACCEPTED' ? metadata.wrongApiKey : undefined;
}

/**
 * Middleware of every management route: asks the core who calls, with the texts of the route's metadata, before
 * anything else of the request is read. Wrong credentials count against the client's address, and only they are told to
 * wait.
 */
export function createAuthenticate(parts: {
  core: Pick<Core, 'authenticate'>;
  limits: AccessLimits;
  clientAddress: ClientAddress;
  metrics: GatewayMetrics;
}) {
  const { core, limits, clientAddress, metrics } = parts;
  return async (
    request: Request & { tsRestRoute: { metadata?: unknown } },
    response: Response,
    next: NextFunction,
  ): Promise<void> => {
    const metadata = metadataOf(request.tsRestRoute);
    if (metadata.account === 'not needed') {
      next();
      return;
    }
    const credentials = readCredentials(request, metadata);
    if (credentials === undefined) {
      sendError(response, metadata.missingCredentials);
      return;
    }
    const result = await core.authenticate(credentials);
    if (!result.ok) {
      const rejected = answerForRejected(result.refusal.reason, metadata);
      if (rejected === undefined) {
        throw new UnexpectedRefusal(result.refusal);
      }
      metrics.countRefusal(result.refusal.reason);
      const blockedMs = limits.takeFailedLogin(clientAddress(request));
      if (blockedMs > 0) {
        sendError(response, managementErrors.tooManyFailedLogins, retryAfter(blockedMs));
        return;
      }
      sendError(response, rejected);
      return;
    }
    const waitMs = limits.takeManagementCall(result.value.paymasterId ?? result.value.accountId);
    if (waitMs > 0) {
      sendError(response, managementErrors.tooManyRequests, retryAfter(waitMs));
      return;
    }
    rememberCaller(request, result.value);
    // The routes' schemas ask for this header, wherever the token was.
    request.headers.authtoken = credentials.authToken;
    next();
  };
}
