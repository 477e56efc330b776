import { scopeErrors } from '@tollfree/contract/access/scope';
import { managementErrors } from '@tollfree/contract/errors';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { credentialErrors, type Operation } from '@tollfree/contract/operation';
import type { NextFunction, Request, Response } from 'express';
import type { Core } from '../../core/domain/core.ts';
import type { RefusalReason } from '../../core/domain/result/refusal.ts';
import { hasBody } from '../http/json-body.ts';
import { retryAfter, sendError } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/caller-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { type DashboardSite, isFromDashboard, mayBeginSession } from '../session-cookie.ts';
import { UnexpectedRefusal } from './answer.ts';
import { type Credentials, rememberCaller } from './caller.ts';
import { isJsonType } from './read-body.ts';
import { operationOf, type Routed } from './rest.ts';

const bearer = /^Bearer +(\S+) *$/i;

/** The authTokens in the header `authToken` and in `Authorization: Bearer` (RFC 6750), without duplicates. */
function readAuthTokens({ headers }: Request): readonly string[] {
  const inAuthToken = typeof headers.authtoken === 'string' ? headers.authtoken : '';
  const [, inAuthorization = ''] = bearer.exec(headers.authorization ?? '') ?? [];
  return [...new Set([inAuthToken, inAuthorization])].filter((authToken) => authToken !== '');
}

/**
 * The account's credential: the authToken or, only without one, a browser's session; undefined for two different authTokens.
 */
function readAccount(request: Request, site: DashboardSite | undefined): Credentials | undefined {
  const [authToken, another] = readAuthTokens(request);
  if (another !== undefined) return undefined;
  if (authToken !== undefined) return { authToken };
  const session = site?.cookie.read(request);
  return session === undefined ? undefined : { session };
}

/** The credentials a route needs, or undefined when one of them is missing. An unneeded apiKey is not read. */
function readCredentials(
  request: Request,
  operation: Operation,
  site: DashboardSite | undefined,
): Credentials | undefined {
  const account = readAccount(request, site);
  if (account === undefined || operation.credentials !== 'paymaster') return account;
  const { apikey: apiKey } = request.headers;
  return typeof apiKey === 'string' && apiKey !== '' ? { ...account, apiKey } : undefined;
}

function answerForRejected(reason: RefusalReason, operation: Operation) {
  const { wrongAuthToken, wrongApiKey } = credentialErrors(operation);
  if (reason === 'UNAUTHENTICATED') return wrongAuthToken;
  return reason === 'API_KEY_NOT_ACCEPTED' ? wrongApiKey : undefined;
}

type Parts = {
  readonly core: Pick<Core, 'authenticate' | 'authenticateSession'>;
  readonly limits: AccessLimits;
  readonly clientAddress: ClientAddress;
  readonly metrics: GatewayMetrics;
  readonly site: () => DashboardSite | undefined;
};

/** What is wrong with a request that a browser may have sent for another site's page. */
function problemOfBrowser(request: Request, site: DashboardSite | undefined, credentials: Credentials | undefined) {
  if (site === undefined) return undefined;
  if (credentials === undefined) {
    if (request.method === 'GET') return undefined;
    return mayBeginSession(request, site.origin) ? undefined : managementErrors.sessionFromElsewhere;
  }
  if (credentials.session === undefined) return undefined;
  if (!isFromDashboard(request, site.origin)) return managementErrors.sessionFromElsewhere;
  // A form can send the other types, and some requests without any.
  const type = request.headers['content-type'];
  const isJson = type === undefined ? !hasBody(request) : isJsonType(type);
  return isJson || request.method === 'GET' ? undefined : managementErrors.bodyTypeNotSupported;
}

function authenticateWith(core: Parts['core'], { apiKey, authToken, session }: Credentials) {
  const paymaster = omitAbsent({ apiKey });
  return session === undefined
    ? core.authenticate({ authToken, ...paymaster })
    : core.authenticateSession({ session, ...paymaster });
}

/**
 * Middleware of every management route: asks the core for the caller, with the operation's texts, before reading anything
 * else of the request. Wrong credentials count against the client's address, and only their senders must wait. Sessions are
 * only accepted from the dashboard's own pages.
 */
export function createAuthenticate({ core, limits, clientAddress, metrics, site: findSite }: Parts) {
  function askToWait(
    response: Response,
    operation: Operation,
    caller: Parameters<AccessLimits['takeManagementCall' | 'takeChange']>[0],
  ): boolean {
    const isChange = 'changes' in operation && operation.changes !== undefined;
    const waitMs = limits.takeManagementCall(caller) || (isChange ? limits.takeChange(caller) : 0);
    if (waitMs > 0) sendError(response, managementErrors.tooManyRequests, retryAfter(waitMs));
    return waitMs > 0;
  }

  return async (request: Request & Routed, response: Response, next: NextFunction): Promise<void> => {
    const operation = operationOf(request);
    const site = findSite();
    const isOpen = operation.credentials === 'none';
    const credentials = isOpen ? undefined : readCredentials(request, operation, site);
    if (credentials === undefined && !isOpen) {
      sendError(response, credentialErrors(operation).missingCredentials);
      return;
    }
    const problem = problemOfBrowser(request, site, credentials);
    if (problem !== undefined) {
      sendError(response, problem);
      return;
    }
    if (credentials === undefined) {
      if (!askToWait(response, operation, { account: `the client at ${clientAddress(request)}` })) next();
      return;
    }
    const result = await authenticateWith(core, credentials);
    if (!result.ok) {
      const rejected = answerForRejected(result.refusal.reason, operation);
      if (rejected === undefined) throw new UnexpectedRefusal(result.refusal);
      metrics.countRefusal(result.refusal.reason);
      // So that the browser stops sending an ended session.
      const isEnded = credentials.session !== undefined && result.refusal.reason === 'UNAUTHENTICATED';
      if (isEnded && site !== undefined) response.setHeader('set-cookie', site.cookie.clear());
      const blockedMs = limits.takeFailedLogin(clientAddress(request));
      if (blockedMs > 0) {
        sendError(response, managementErrors.tooManyFailedLogins, retryAfter(blockedMs));
        return;
      }
      sendError(response, rejected);
      return;
    }
    const { scopes: present = [] } = result.value;
    const missing = operation.scopes.find((scope) => !present.includes(scope));
    if (missing !== undefined) {
      metrics.countRefusal('SCOPE_MISSING');
      sendError(response, scopeErrors[missing]);
      return;
    }
    const { accountId: account, paymasterId, authTokenId, sessionId: credential = authTokenId } = result.value;
    if (askToWait(response, operation, { account, paymasterId, credential })) return;
    rememberCaller(request, result.value, credentials);
    next();
  };
}
