import { managementErrors } from '@tollfree/contract/errors';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementOperations } from '@tollfree/contract/operations';
import type { OperatorStatus } from '@tollfree/contract/operator';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { ActAs, Actor } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import { sendLiveness, sendReadiness } from '../admin-server.ts';
import { isCoreOutdated, isCoreUnavailable, isGivenUp, type OutageLog, outageRetryMs } from '../core-unavailable.ts';
import { addDashboardRoutes, type DashboardFiles } from '../dashboard-routes.ts';
import { addDocsRoutes } from '../docs/docs-routes.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { Health } from '../health.ts';
import type { BodiesUnderWay } from '../http/bodies-under-way.ts';
import { compressAnswers } from '../http/compress-answers.ts';
import { requestIdOf } from '../http/request-scope.ts';
import { answerOtherMethods, retryAfter, sendError } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/caller-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { addIncompleteRpcUrls } from '../rpc/incomplete-urls.ts';
import type { DashboardSite } from '../session-cookie.ts';
import { errorResponse, validationError } from './answer.ts';
import { createAuthenticate } from './authenticate.ts';
import { callerOf, findCaller } from './caller.ts';
import { handleOperation, successOf } from './handle-operation.ts';
import { createReadBody, createShareMemory, maxBodyBytesOf } from './read-body.ts';
import { addManagementRoutes, type Handler } from './rest.ts';
import { sessionHandlers } from './session-handlers.ts';
import { type Handlers, specialHandlers } from './special-handlers.ts';

const { read } = managementOperations.operator;

/** The state of the service, for its operator. For everyone else the path does not exist. */
function operatorHandler(readStatus: () => Promise<OperatorStatus>): Handlers {
  return {
    [read.name]: async ({ request }) =>
      callerOf(request).operator === true
        ? successOf(read, await readStatus())
        : errorResponse(managementErrors.pathNotFound),
  };
}

/** Most characters kept of a client's name for itself. */
const maxClientLength = 200;

/** A handler, run on behalf of the authenticated caller, or of a visitor, while the connection is there. */
function inNameOfCaller(handle: Handler, { actAs, clientAddress }: ManagementAppParts): Handler {
  return (call) => {
    const { request, response } = call;
    const client = clientText(request.headers['user-agent']);
    const actor = { ...toActor(request), address: clientAddress(request), ...omitAbsent({ client }) };
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return actAs(actor, () => handle(call), gone.signal);
  };
}

function toActor(request: Request): Actor {
  const caller = findCaller(request);
  if (caller === undefined) return { kind: 'visitor' };
  const { accountId, authTokenId, sessionId, wallet } = caller;
  return sessionId === undefined
    ? { kind: 'auth-token', accountId, ...omitAbsent({ credentialId: authTokenId }) }
    : { kind: 'session', accountId, credentialId: sessionId, ...omitAbsent({ wallet }) };
}

/** The client's text, shortened and without characters that affect a terminal or a page. */
function clientText(userAgent: string | undefined): string | undefined {
  const text = userAgent?.replace(/[^\x20-\x7e]/g, '?').slice(0, maxClientLength);
  return text === '' ? undefined : text;
}

type ManagementAppParts = {
  readonly core: Core;
  readonly limits: GatewayLimits;
  readonly accessLimits: AccessLimits;
  readonly underWay: BodiesUnderWay;
  readonly clientAddress: ClientAddress;
  readonly health: Health;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
  readonly outages: OutageLog;
  readonly clock: Clock;
  /** Undefined if no one can sign in. */
  readonly site: () => DashboardSite | undefined;
  /** Tells the core who the actor is. */
  readonly actAs: ActAs;
  readonly dashboard: DashboardFiles | undefined;
  /** The service's version, for the documentation. */
  readonly version: string | undefined;
  /** The status overview. */
  readonly readStatus: () => Promise<OperatorStatus>;
};

function addHealthRoutes(app: Express, health: Health): void {
  app.get('/livez', (_request, response) => sendLiveness(response));
  app.get('/readyz', (_request, response) => sendReadiness(response, health));
  answerOtherMethods(app, '/livez', ['GET']);
  answerOtherMethods(app, '/readyz', ['GET']);
}

/** The express application: everything except the RPC endpoint. */
export function createManagementApp(parts: ManagementAppParts): Express {
  const { core, limits, accessLimits, clientAddress, health, metrics, logger, clock, site } = parts;
  const maxBodyBytes = maxBodyBytesOf(limits);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Plain http on a private network must keep its links: the proxy in front handles TLS.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.use(compressAnswers);
  const special = {
    ...specialHandlers(core, clock),
    ...operatorHandler(parts.readStatus),
    ...sessionHandlers({ core, limits: accessLimits, clientAddress, metrics, clock, site }),
  };
  addManagementRoutes(app, {
    handlerOf: (operation) => inNameOfCaller(special[operation.name] ?? handleOperation(core, operation), parts),
    middleware: [
      createAuthenticate({ core, limits: accessLimits, clientAddress, metrics, site }),
      createShareMemory(maxBodyBytes, clientAddress),
      createReadBody(limits, parts.underWay),
    ],
    refuse: (response, issues) => {
      const { status, body } = validationError(issues);
      sendError(response, { status, ...body });
    },
  });
  addHealthRoutes(app, health);
  addIncompleteRpcUrls(app);
  if (parts.dashboard !== undefined) addDashboardRoutes(app, parts.dashboard);
  addDocsRoutes(app, {
    takeDocument: accessLimits.takeDocument,
    clientAddress,
    version: parts.version,
    dashboard: parts.dashboard,
  });
  app.use((_request, response) => sendError(response, managementErrors.pathNotFound));
  app.use(createErrorHandler(logger, parts.outages));
  return app;
}

/** Last handler of the application: logs an error and returns an opaque 500 with the request's id. */
function createErrorHandler(logger: Logger, outages: OutageLog) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (response.headersSent || isGivenUp(error)) {
      response.destroy();
      return;
    }
    // Express throws this for a path with an invalid percent escape.
    if (error instanceof URIError) {
      sendError(response, managementErrors.pathNotValid);
      return;
    }
    const requestId = requestIdOf(request);
    if (isCoreOutdated(error)) {
      outages.outdated(error);
      sendError(response, managementErrors.coreOutdated);
      return;
    }
    if (isCoreUnavailable(error)) {
      outages.failed(error);
      sendError(response, managementErrors.notReady, retryAfter(outageRetryMs));
      return;
    }
    logger.error({ err: error, requestId }, 'request failed');
    sendError(response, { status: 500, statusCode: 500, message: `Internal error (request ${requestId})` });
  };
}
