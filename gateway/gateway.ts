import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../core/base/logger.ts';
import type { MetricSource } from '../core/base/metrics/metric-registry.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { ActAs } from '../core/domain/access/actor.ts';
import type { Core } from '../core/domain/core.ts';
import { createAdminListener } from './admin-server.ts';
import { createLedgerReader, createMetricReader } from './core-readers.ts';
import { createOutageLog } from './core-unavailable.ts';
import type { DashboardFiles } from './dashboard-routes.ts';
import type { GatewayLimits } from './gateway-limits.ts';
import { createHealth } from './health.ts';
import { createBeginInTurns } from './http/begin-in-turns.ts';
import { createBodiesUnderWay } from './http/bodies-under-way.ts';
import { startHttpServer } from './http/http-server.ts';
import { observeRequest, traceRequest } from './http/observe-request.ts';
import { openRequestScope, requestIdOf } from './http/request-scope.ts';
import { sendError, sendJsonText } from './http/send-json.ts';
import { createAccessLimits } from './limits/access-limits.ts';
import { createCallerAddress, createClientAddress } from './limits/caller-address.ts';
import { createLimitSharing } from './limits/limit-sharing.ts';
import { createManagementApp } from './management/management-app.ts';
import { createGatewayMetrics } from './metrics.ts';
import { readOperatorStatus } from './operator/read-operator-status.ts';
import { readRpcPath } from './rpc/read-request.ts';
import { createRpcEndpoint } from './rpc/rpc-endpoint.ts';
import { internalErrorResponse } from './rpc/rpc-response.ts';
import { createRpcServer } from './rpc/rpc-server.ts';
import { createDashboardSite, type DashboardSite } from './session-cookie.ts';

/** Milliseconds between two exchanges with the core about limits that all gateways share. */
const betweenExchanges = 1_000;

/** Where a server listens; port 0 picks a free one. */
type ListenOptions = { readonly host: string; readonly port: number };

/** The `publicUrl` of a gateway that browsers reach at its listening address. */
export const whereItListens = 'where it listens';

type GatewayOptions = {
  readonly core: Core;
  /** Tells the core who the actor is, directly if it runs in this process, or through the connection to a remote one. */
  readonly actAs: ActAs;
  readonly listen: ListenOptions;
  /** `/livez`, `/readyz`, `/metrics`, and an overview at `/` and `/status.json`, for the operator. */
  readonly admin: ListenOptions;
  readonly limits: GatewayLimits;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Metrics of this process, if the core runs in another one. */
  readonly own?: MetricSource;
  /** Addresses or CIDR ranges whose X-Forwarded-For is trusted. None by default. */
  readonly trustedProxies?: readonly string[];
  /** Whether every request is logged; true when absent. Faults are always logged. */
  readonly accessLog?: boolean;
  /** How long it continues to serve after `close` while `/readyz` reports not ready, in milliseconds; 0 when absent. */
  readonly drainDelayMs?: number;
  /**
   * The dashboard's URL for browsers: https, or http on loopback. `where it listens` is the gateway's own address. Without
   * it no one can sign in.
   */
  readonly publicUrl?: string;
  /** The dashboard. Without it, `/` lists the documents. */
  readonly dashboard?: DashboardFiles;
  /** The service's version, which the pages of the documentation end with. */
  readonly version?: string;
  /** Sees each request first, and returns whether it has answered. Only for development. */
  readonly answerFirst?: (request: IncomingMessage, response: ServerResponse) => boolean;
};

/**
 * A running gateway. `close` reports not ready for `drainDelayMs`, stops accepting, lets open requests finish for a while,
 * then closes the remaining connections.
 */
export type Gateway = { readonly url: string; readonly adminUrl: string; close(): Promise<void> };

/** Answers a request that failed because of the service, in the form its client reads; aborts a half-sent answer. */
function sendFault(response: ServerResponse, requestId: string, isRpc: boolean): void {
  if (response.headersSent) {
    response.destroy();
  } else if (isRpc) {
    const { httpStatus, jsonText } = internalErrorResponse(null, requestId);
    sendJsonText(response, httpStatus, jsonText);
  } else {
    sendError(response, { status: 500, statusCode: 500, message: `Internal error (request ${requestId})` });
  }
}

type Observed = Omit<Parameters<typeof observeRequest>[2], 'requestId' | 'isRpc'>;

/** Handles every request of the public port, within its trace and its scope. */
function createListener(parts: {
  readonly app: RequestListener;
  readonly rpc: ReturnType<typeof createRpcEndpoint>;
  readonly scope: ReturnType<typeof openRequestScope>;
  readonly observed: Observed;
  readonly answerFirst: GatewayOptions['answerFirst'];
}): RequestListener {
  const { app, rpc, scope, observed, answerFirst } = parts;
  const beginInTurn = createBeginInTurns(observed.clientAddress);
  return (request, response) => {
    if (answerFirst?.(request, response) === true) return;
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    // Answers contain secrets, and the dashboard is small.
    response.setHeader('cache-control', 'no-store');
    const rpcPath = readRpcPath(request.url ?? '');
    const isRpc = rpcPath !== undefined;
    observeRequest(request, response, { ...observed, requestId, isRpc });
    const fail = (error: unknown) => {
      observed.logger.error({ err: error, requestId }, 'request failed');
      sendFault(response, requestId, isRpc);
    };
    const answer = () => {
      if (rpcPath === undefined) beginInTurn(request, response, () => app(request, response));
      else rpc(request, response, rpcPath, requestId).catch(fail);
    };
    scope.run({ response, fail }, () => traceRequest(request, response, { requestId, isRpc }, answer));
  };
}

/**
 * Starts the HTTP side of the service for a core, local or remote. RPC requests bypass express: they are the hot path and do
 * not need it.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { core, limits, logger, clock, publicUrl, accessLog = true, drainDelayMs = 0 } = options;
  const health = createHealth(core, logger);
  const sources = {
    readLedger: createLedgerReader(core, clock),
    readMetrics: createMetricReader(core),
    readiness: health.readiness,
  };
  const metrics = createGatewayMetrics({ ...sources, own: options.own });
  const sharing = createLimitSharing({ core, maxKeys: limits.trackedClients, clock, logger });
  const accessLimits = createAccessLimits(limits, clock, sharing);
  const underWay = createBodiesUnderWay(limits.unfinishedBodyBytes);
  const callerAddress = createCallerAddress(options.trustedProxies ?? [], logger);
  const clientAddress = createClientAddress(callerAddress);
  const outages = createOutageLog(logger, clock);
  let site: DashboardSite | undefined;
  const readStatus = () =>
    readOperatorStatus({ core, isSignInSetUp: () => site !== undefined, own: options.own, limits, ...sources });
  const app = createManagementApp({
    core,
    limits,
    accessLimits,
    underWay,
    clientAddress,
    health,
    metrics,
    logger,
    outages,
    clock,
    site: () => site,
    dashboard: options.dashboard,
    version: options.version,
    actAs: options.actAs,
    readStatus,
  });
  const rpc = createRpcEndpoint({
    server: createRpcServer(core, logger, outages),
    limits,
    accessLimits,
    underWay,
    clientAddress,
    callerAddress,
    metrics,
  });

  const scope = openRequestScope();
  const observed = { accessLog, clientAddress, metrics, logger };
  const listener = createListener({ app, rpc, scope, observed, answerFirst: options.answerFirst });
  const server = await startHttpServer(listener, { ...options.listen, drainMs: limits.drainMs }).catch(
    (error: unknown) => {
      scope.close();
      throw error;
    },
  );
  if (publicUrl !== undefined) site = createDashboardSite(publicUrl === whereItListens ? server.url : publicUrl);
  const admin = await startHttpServer(createAdminListener({ health, metrics, readStatus }), {
    ...options.admin,
    drainMs: limits.drainMs,
  }).catch(async (error: unknown) => {
    await server.close();
    scope.close();
    throw error;
  });
  const exchanging = setInterval(() => void sharing.exchange(), betweenExchanges);
  exchanging.unref();
  return {
    url: server.url,
    adminUrl: admin.url,
    async close() {
      health.startDraining();
      if (drainDelayMs > 0) {
        server.endConnections();
        await delay(drainDelayMs);
      }
      await server.close();
      await admin.close();
      clearInterval(exchanging);
      scope.close();
    },
  };
}
