import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Logger } from '../core/base/logger.ts';
import type { MetricSource } from '../core/base/metrics/metric.ts';
import { actAs } from '../core/domain/access/actor.ts';
import type { Core } from '../core/domain/core.ts';
import { startGateway } from '../gateway/gateway.ts';
import type { Config } from './config/config-schema.ts';
import { readDashboard } from './process/read-dashboard.ts';
import { systemClock } from './system-clock.ts';

/** Opens the public and the admin address of the configuration. */
export function serveGateway(parts: {
  core: Core;
  config: Config;
  logger: Logger;
  /** Of this process, where the core is another one. */
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
