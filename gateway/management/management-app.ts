import { managementErrors } from '@tollfree/contract/errors';
import type { OperatorStatus } from '@tollfree/contract/operator';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { ActAs } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import { sendLiveness, sendReadiness } from '../admin-server.ts';
import type { OutageLog } from '../core-unavailable.ts';
import type { DashboardFiles } from '../dashboard/dashboard-files.ts';
import { addDashboardRoutes } from '../dashboard/dashboard-routes.ts';
import { addDocsRoutes } from '../docs/docs-routes.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { Health } from '../health.ts';
import { answerOtherMethods } from '../http/method-not-allowed.ts';
import { sendError } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { DashboardSite } from '../sign-in/dashboard-site.ts';
import { createActAsCaller } from './act-as-caller.ts';
import { createAuthenticate } from './authenticate.ts';
import { createErrorHandler } from './error-handler.ts';
import { handleOperation } from './handle-operation.ts';
import { operatorHandler } from './operator-handler.ts';
import { createReadBody, maxBodyBytesOf } from './read-body.ts';
import { addManagementRoutes } from './rest.ts';
import { sessionHandlers } from './session-handlers.ts';
import { createShareMemory } from './share-memory.ts';
import { specialHandlers } from './special-handlers.ts';
import { validationError } from './validation-error.ts';

export type ManagementAppParts = {
  readonly core: Core;
  readonly limits: GatewayLimits;
  readonly accessLimits: AccessLimits;
  readonly clientAddress: ClientAddress;
  readonly health: Health;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
  readonly outages: OutageLog;
  readonly clock: Clock;
  /** Nothing where no one signs in. */
  readonly site: () => DashboardSite | undefined;
  /** Tells the core in whose name it is asked. */
  readonly actAs: ActAs;
  readonly dashboard: DashboardFiles | undefined;
  /** The service at a glance. */
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
  // Plain http on a private network must keep its links: TLS is for the proxy in front.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  const special = {
    ...specialHandlers(core, clock),
    ...operatorHandler(parts.readStatus),
    ...sessionHandlers({ core, limits: accessLimits, clientAddress, metrics, clock, site }),
  };
  addManagementRoutes(app, {
    handlerOf: (operation) => special[operation.name] ?? handleOperation(core, operation),
    middleware: [
      createAuthenticate({ core, limits: accessLimits, clientAddress, metrics, site }),
      createShareMemory(maxBodyBytes, clientAddress),
      createReadBody(maxBodyBytes, limits.jsonDepth),
      createActAsCaller(parts.actAs, clientAddress),
    ],
    refuse: (response, issues) => {
      const { status, body } = validationError(issues);
      sendError(response, { status, ...body });
    },
  });
  addHealthRoutes(app, health);
  if (parts.dashboard !== undefined) addDashboardRoutes(app, parts.dashboard);
  addDocsRoutes(app);
  app.use((_request, response) => sendError(response, managementErrors.pathNotFound));
  app.use(createErrorHandler(logger, parts.outages));
  return app;
}
