import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { privateKeyToAccount } from 'viem/accounts';
import { readVersion } from '../../clients/cli/terminal/read-version.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { MetricSource } from '../../core/base/metrics/metric-registry.ts';
import { actAs } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { startGrpcServer } from '../../core/grpc/server.ts';
import { startLocalCore } from '../../core/local.ts';
import { watchTransactions } from '../../core/store/inside-transaction.ts';
import { startGateway, whereItListens } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { accepted } from '../accepted.ts';
import { readDashboard } from '../serve-gateway.ts';
import type { Shutdown } from '../shutdown.ts';
import { systemClock } from '../system-clock.ts';
import { type DevBundler, startDevBundler } from './bundler/start-dev-bundler.ts';
import { devCoreConfig } from './dev-core-config.ts';
import { type DevFile, defaultEntryPointVersion } from './dev-file.ts';
import type { DevOptions } from './dev-options.ts';
import { createDevPages, createOneTimeCode, signInPath } from './dev-pages.ts';
import type { DevState } from './dev-state.ts';
import { deriveDevKey } from './devnet/dev-keys.ts';
import type { Devnet } from './devnet/devnet.ts';

const accountName = 'development';

type DevAccount = { readonly accountId: string; readonly authToken: string };

/**
 * The development account, with its authToken from the file (mode 0600) while the service accepts it, else a new one, which
 * is written to the file. Creates the account if it does not exist.
 */
async function openDevAccount(core: Core, file: string): Promise<DevAccount> {
  if (existsSync(file)) {
    chmodSync(file, 0o600);
    const authToken = readFileSync(file, 'utf8').trim();
    const caller = await core.authenticate({ authToken });
    if (caller.ok) return { accountId: caller.value.accountId, authToken };
  }
  const accounts = accepted(await core.listAccounts({}));
  const known = accounts.find(({ name }) => name === accountName);
  const { accountId } = known ?? accepted(await core.createAccount({ name: accountName }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'tollfree dev' }));
  writeFileSync(file, `${authToken}\n`, { mode: 0o600 });
  return { accountId, authToken };
}

/**
 * In development all requests come from this machine, with deliberately wrong keys, and as fast as scripts run. The limits
 * of the RPC endpoint keep their defaults, so that clients meet them before production.
 */
const developmentLimits = { failedLoginsPerMinute: 100_000, managementPerSecond: 100_000, managementBurst: 100_000 };

/** Index of the funded key that sends the bundles: nothing else here sends with it. */
export const bundlerKeyNumber = 8;

/** The addresses and credentials of the parts of `tollfree dev`. */
export type DevService = Omit<DevFile, 'paymasters' | 'chain' | 'pids'>;

type StartedService = {
  readonly service: DevService;
  /** A short-lived link that signs a browser in once. */
  makeSignInLink(): string;
};

type Parts = {
  readonly devnet: Devnet;
  readonly state: DevState;
  readonly options: DevOptions;
  readonly logger: Logger;
  readonly metrics: MetricSource;
  readonly shutdown: Shutdown;
};

/** Starts core, gRPC, gateway and bundler on the development chain, and opens the account. */
export async function startDevService(parts: Parts): Promise<StartedService> {
  watchTransactions();
  const { devnet, state, options, logger, metrics, shutdown } = parts;
  // Our own chain is read from its first block in every run, as are its kept records.
  const startBlock = options.nodeUrl === undefined ? 0n : await devnet.client.getBlockNumber();
  const plain = devCoreConfig(devnet, state, startBlock);
  const bundler = await startBundler(parts, plain);
  shutdown.onDrain('bundler', bundler.close);
  // The developer operates the service. The account is only known once the core runs.
  const operators: string[] = [];
  const config = { ...withRelay(exposing(plain, bundler), bundler.url), operators };
  const local = await startLocalCore(config, { logger, clock: systemClock, others: metrics });
  shutdown.onClose('core', local.close);
  const grpc = await startGrpcServer({
    core: local.core,
    address: `127.0.0.1:${options.grpcPort}`,
    token: state.grpcToken,
    reflection: true,
    logger,
  });
  shutdown.onDrain('gRPC server', grpc.close);
  const { accountId, authToken } = await openDevAccount(local.core, state.authTokenFile);
  operators.push(accountId);
  const code = createOneTimeCode(systemClock);
  const gateway = await startGateway({
    core: local.core,
    actAs,
    listen: { host: '127.0.0.1', port: options.port },
    admin: { host: '127.0.0.1', port: options.adminPort },
    limits: { ...defaultGatewayLimits, ...developmentLimits },
    logger,
    clock: systemClock,
    version: readVersion(),
    publicUrl: whereItListens,
    answerFirst: createDevPages({ core: local.core, authToken, code, clock: systemClock }),
    ...omitAbsent({ dashboard: readDashboard() }),
  });
  shutdown.onDrain('gateway', gateway.close);
  const service = {
    gatewayUrl: gateway.url,
    adminUrl: gateway.adminUrl,
    bundlerUrl: bundler.url,
    grpcAddress: grpc.address,
    grpcTokenFile: state.grpcTokenFile,
    authToken,
  };
  return { service, makeSignInLink: () => `${gateway.url}${signInPath}?code=${code.issue()}` };
}

/** The endpoint accepts any operation: everything belongs to the developer. */
function exposing(config: CoreConfig, { url }: DevBundler): CoreConfig {
  return {
    ...config,
    chains: config.chains.map((chain) => ({ ...chain, bundler: { urls: [url], expose: 'ANY', asksForLimits: true } })),
  };
}

/** The development bundler relays operations of the default EntryPoint. */
function withRelay(config: CoreConfig, url: string): CoreConfig {
  const executors = [privateKeyToAccount(deriveDevKey(bundlerKeyNumber)).address];
  const relay = { kind: 'ALTO', url, executors, entryPoint: defaultEntryPointVersion } as const;
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, relay })) };
}

function startBundler({ devnet, options }: Parts, { chains: [config] }: CoreConfig): Promise<DevBundler> {
  if (config === undefined) throw new Error('The service has no chain.');
  const account = privateKeyToAccount(deriveDevKey(bundlerKeyNumber));
  return startDevBundler({ devnet, config, account, port: options.bundlerPort });
}
