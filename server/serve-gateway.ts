import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { readVersion } from '../clients/cli/terminal/read-version.ts';
import type { Logger } from '../core/base/logger.ts';
import type { MetricSource } from '../core/base/metrics/metric-registry.ts';
import { actAs } from '../core/domain/access/actor.ts';
import type { Core } from '../core/domain/core.ts';
import type { DashboardFile, DashboardFiles } from '../gateway/dashboard-routes.ts';
import { startGateway } from '../gateway/gateway.ts';
import type { Config } from './config/config-schema.ts';
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
    version: readVersion(),
    ...omitAbsent({ own, publicUrl: dashboard.publicUrl, dashboard: readDashboard() }),
  });
}

/** Next to the installed program, and where `npm run dev` builds it. */
const builtFolder = resolve(import.meta.dirname, '../../clients/dashboard/dist');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Reads the built dashboard into memory. Undefined if it has not been built. */
export function readDashboard(folder = builtFolder): DashboardFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(names.flatMap((name) => readFile(folder, name)));
}

function readFile(folder: string, name: string): [string, DashboardFile][] {
  const type = types[extname(name)];
  if (type === undefined) return [];
  const path = join(folder, name);
  const compressed = existsSync(`${path}.br`)
    ? { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) }
    : undefined;
  return [[name.replaceAll('\\', '/'), { type, bytes: readFileSync(path), ...omitAbsent({ compressed }) }]];
}
