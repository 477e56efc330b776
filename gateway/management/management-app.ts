import { managementErrors } from '@tollfree/contract/errors';
import { managementRouter } from '@tollfree/contract/router';
import { createExpressEndpoints, type RequestValidationError } from '@ts-rest/express';
import express, { type Express, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { ActAs } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Logger } from '../../core/domain/logger.ts';
import type { Clock } from '../../core/domain/time/clock.ts';
import { sendLiveness, sendReadiness } from '../admin-server.ts';
import type { OutageLog } from '../core-unavailable.ts';
import type { DashboardFiles } from '../dashboard/dashboard-files.ts';
import { addDashboardRoutes } from '../dashboard/dashboard-routes.ts';
import { addDocsRoutes } from '../docs/docs-routes.ts';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { Health } from '../health.ts';
import { answerOtherMethods, answerOtherMethodsOf } from '../http/method-not-allowed.ts';
import { sendError } from '../http/send-json.ts';
import type { AccessLimits } from '../limits/access-limits.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { DashboardSite } from '../sign-in/dashboard-site.ts';
import { createActAsCaller } from './access/act-as-caller.ts';
import { createAuditLogRoutes } from './access/audit-log-routes.ts';
import { createMemberRoutes } from './access/member-routes.ts';
import { createAuthTokenRoutes } from './auth-token-routes.ts';
import { createAuthenticate } from './authenticate.ts';
import { createBudgetRoutes } from './budgets/budget-routes.ts';
import { createDecisionRoutes } from './decision-routes.ts';
import { createErrorHandler } from './error-handler.ts';
import { createFundingRoutes } from './funding-routes.ts';
import { createGasTankRoutes } from './gas-tank-routes.ts';
import { createNamedPolicyRoutes } from './named-policy-routes.ts';
import { createNotificationRoutes } from './notification-routes.ts';
import { parseInOneGo } from './parse-in-one-go.ts';
import { createPaymasterRoutes } from './paymaster-routes.ts';
import { createPolicyRoutes } from './policy-routes.ts';
import { createReadBody, maxBodyBytesOf } from './read-body.ts';
import { createSessionRoutes } from './session-routes.ts';
import { createShareMemory } from './share-memory.ts';
import { createSmartContractRoutes } from './smart-contract-routes.ts';
import { createSponsorshipRoutes } from './sponsorship-routes.ts';
import { createTicketKeyRoutes } from './tickets/ticket-key-routes.ts';
import { createUsageRoutes } from './usage-routes.ts';
import { validationError } from './validation-error.ts';
import { createWebhookRoutes } from './webhook-routes.ts';

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
};

/** Answers the first failing field: path, then headers, query and body. */
function answerValidationError(error: RequestValidationError, _request: Request, response: Response): void {
  const failed = error.pathParams ?? error.headers ?? error.query ?? error.body;
  const { status, body } = validationError(failed?.issues ?? []);
  sendError(response, { status, ...body });
}

function addHealthRoutes(app: Express, health: Health): void {
  app.get('/livez', (_request, response) => sendLiveness(response));
  app.get('/readyz', (_request, response) => sendReadiness(response, health));
  answerOtherMethods(app, '/livez', ['GET']);
  answerOtherMethods(app, '/readyz', ['GET']);
}

/** The express application: everything except the RPC endpoint. The one file that knows ts-rest's server side. */
export function createManagementApp(parts: ManagementAppParts): Express {
  const { core, limits, accessLimits, clientAddress, health, metrics, logger, clock, site } = parts;
  const maxBodyBytes = maxBodyBytesOf(limits);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Plain http on a private network must keep its links: TLS is for the proxy in front.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  createExpressEndpoints(
    parseInOneGo(managementRouter),
    {
      webhook: createWebhookRoutes(core),
      paymaster: createPaymasterRoutes(core),
      smartContract: createSmartContractRoutes(core),
      funding: createFundingRoutes(core),
      gasTank: createGasTankRoutes(core),
      notification: createNotificationRoutes(core),
      ticketKey: createTicketKeyRoutes(core),
      policy: createPolicyRoutes(core),
      namedPolicy: createNamedPolicyRoutes(core),
      decision: createDecisionRoutes(core),
      sponsorship: createSponsorshipRoutes(core),
      usage: createUsageRoutes(core),
      session: createSessionRoutes({ core, limits: accessLimits, clientAddress, metrics, clock, site }),
      authToken: createAuthTokenRoutes(core, clock),
      member: createMemberRoutes(core),
      budget: createBudgetRoutes(core),
      auditLog: createAuditLogRoutes(core),
    },
    app,
    {
      logInitialization: false,
      jsonQuery: false,
      responseValidation: true,
      globalMiddleware: [
        createAuthenticate({ core, limits: accessLimits, clientAddress, metrics, site }),
        createShareMemory(maxBodyBytes, clientAddress),
        createReadBody(maxBodyBytes, limits.jsonDepth),
        createActAsCaller(parts.actAs, clientAddress),
      ],
      requestValidationErrorHandler: answerValidationError,
    },
  );
  answerOtherMethodsOf(app, managementRouter);
  addHealthRoutes(app, health);
  if (parts.dashboard !== undefined) addDashboardRoutes(app, parts.dashboard);
  addDocsRoutes(app);
  app.use((_request, response) => sendError(response, managementErrors.pathNotFound));
  app.use(createErrorHandler(logger, parts.outages));
  return app;
}
