import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Logger } from '../core/base/logger.ts';
import type { MetricSource } from '../core/base/metrics/metric-registry.ts';
import { actAs } from '../core/domain/access/actor.ts';
import type { Core } from '../core/domain/core.ts';
import { startGateway } from '../gateway/gateway.ts';
import type { Config } from './config/config-schema.ts';
import { readDashboard } from './process/read-dashboard.ts';
import { systemClock } from './system-clock.ts';

/** Opens the configured public and admin addresses. */
export function serveGateway(parts: {
  core: Core;
  config: Config;
  logger: Logger;
  /** Metrics of this process, if the core runs in another one. */
  own?: MetricSource;
}) {
  const { core, logger, own } = parts;
  const { gateway, dashboard } = parts.config;
  return startGateway({
    core,
    actAs,
    listen: gateway.listen,
    admin: gateway.adminListen,
    limits: gateway.limits,
    trustedProxies: gateway.trustedProxies,
    accessLog: gateway.accessLog,
    drainDelayMs: gateway.drainDelaySeconds * 1_000,
    logger,
    clock: systemClock,
    ...omitAbsent({ own, publicUrl: dashboard.publicUrl, dashboard: readDashboard() }),
  });
}
