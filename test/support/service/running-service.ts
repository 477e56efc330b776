import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { createManagementClient, type ManagementClient } from '../../../clients/sdk/create-management-client.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { Secret } from '../../../core/base/values/secret.ts';
import { actAs } from '../../../core/domain/access/actor.ts';
import type { HoldCaps } from '../../../core/domain/chain-config.ts';
import type { Core } from '../../../core/domain/core.ts';
import type { CoreConfig } from '../../../core/domain/core-config.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { connectCore } from '../../../core/grpc/client.ts';
import { startGrpcServer } from '../../../core/grpc/server.ts';
import { startLocalCore } from '../../../core/local.ts';
import type { DashboardFiles } from '../../../gateway/dashboard-routes.ts';
import { startGateway, whereItListens } from '../../../gateway/gateway.ts';
import { defaultGatewayLimits, type GatewayLimits } from '../../../gateway/gateway-limits.ts';
import { accepted } from '../../../server/accepted.ts';
import { devCoreConfig } from '../../../server/dev/dev-core-config.ts';
import type { DevPaymaster } from '../../../server/dev/dev-file.ts';
import { openDevState } from '../../../server/dev/dev-state.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { registerPaymaster } from '../../../server/dev/register-paymaster.ts';
import { systemClock } from '../../../server/system-clock.ts';
import { leaseDevnet, leasedSignerKey, startOwnDevnet } from '../chain/lease-devnet.ts';
import { silentLogger } from '../logging/recording-logger.ts';
import { testDatabase } from '../store/test-database.ts';

export type RunningService = {
  /** Base address of the gateway. */
  readonly url: string;
  readonly adminUrl: string;
  /** The core as the gateway reaches it: the local handle, or the one over gRPC. */
  readonly core: Core;
  readonly config: CoreConfig;
  readonly devnet: Devnet;
  /** A new account with an authToken of its own. */
  issueAccount(): Promise<{ readonly accountId: string; readonly authToken: string }>;
  /** Management calls over HTTP as this account. */
  managementOf(authToken: string): ManagementClient;
  /** A paymaster of this account as `tollfree dev` sets it up: target registered, wallet set, 100 ETH in the tank. */
  fundedPaymaster(authToken: string, version: EntryPointVersion, walletNumber?: number): Promise<DevPaymaster>;
  rpcUrl(apiKey: string): string;
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** A chain that the test has, for several services one after the other. It is left open. */
  readonly devnet?: Devnet;
  /** Starts a node for it, which the test may stop. */
  readonly ownNode?: boolean;
  /** Puts gRPC between gateway and core, as two processes have it. */
  readonly handle?: 'local' | 'grpc';
  readonly limits?: Partial<GatewayLimits>;
  /** Addresses whose X-Forwarded-For is believed; none when absent. */
  readonly trustedProxies?: readonly string[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Where browsers reach it; where it listens when absent. */
  readonly publicUrl?: string;
  /** The built dashboard; none when absent. */
  readonly dashboard?: DashboardFiles;
  /** Changes the core's configuration before it starts. */
  readonly configure?: (config: CoreConfig, devnet: Devnet) => CoreConfig | Promise<CoreConfig>;
};

/** Rates out of the way: tests that are about them set their own. */
const wideLimits: Partial<GatewayLimits> = {
  failedLoginsPerMinute: 1_000_000,
  requestsPerSecond: 1_000_000,
  requestBurst: 1_000_000,
  managementPerSecond: 1_000_000,
  managementBurst: 1_000_000,
};

/** Caps on what one sender has open, out of the way for tests that are not about them. */
const wideHolds: HoldCaps = {
  maxOpenHoldsPerSender: 1_000_000,
  maxShareOfTankPerSender: 1,
  maxOpenHoldsPerClient: 1_000_000,
  maxShareOfTankPerClient: 1,
  maxShareOfTankWithoutExpiry: 1,
  maxShareOfTankLastingLong: 1,
};

/** A node on a busy machine may be late: a test about one that does not answer says how long it is waited for. */
const callTimeoutMs = 20_000;

/** A whole service on a development chain that no one else uses meanwhile, in this process, on free ports. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-service-'));
  const state = { ...openDevState(folder), signerKey: new Secret(leasedSignerKey) };
  const devnet = options.devnet ?? (await openChain(options));
  const plain = { ...devCoreConfig(devnet, state, await devnet.client.getBlockNumber()), holds: wideHolds };
  const chains = plain.chains.map((chain) => ({ ...chain, callTimeoutMs }));
  const own = { ...plain, chains, database: await testDatabase(folder) };
  const config = (await options.configure?.(own, devnet)) ?? own;
  const local = await startLocalCore(config, { logger, clock });
  const remote = options.handle === 'grpc' ? await putGrpcBetween(local.core, logger) : undefined;
  const core = remote?.core ?? local.core;
  const gateway = await startGateway({
    core,
    actAs,
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    limits: { ...defaultGatewayLimits, ...wideLimits, ...options.limits },
    logger,
    clock,
    publicUrl: options.publicUrl ?? whereItListens,
    trustedProxies: options.trustedProxies ?? [],
    ...(options.dashboard && { dashboard: options.dashboard }),
  });
  const managementOf = (authToken: string) => createManagementClient({ baseUrl: gateway.url, authToken });
  return {
    url: gateway.url,
    adminUrl: gateway.adminUrl,
    core,
    config,
    devnet,
    managementOf,
    issueAccount: async () => {
      const { accountId } = accepted(await core.createAccount({ name: 'test account' }));
      const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'test token' }));
      return { accountId, authToken };
    },
    fundedPaymaster: (authToken, version, walletNumber = 1) =>
      registerPaymaster(
        { devnet, management: managementOf(authToken), gatewayUrl: gateway.url },
        version,
        deriveDevKey(walletNumber),
      ),
    rpcUrl: (apiKey) => `${gateway.url}/api/v1/${devnet.chainId}/${apiKey}`,
    close: async () => {
      await gateway.close();
      await remote?.close();
      await local.close();
      if (options.devnet === undefined) await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function openChain({ ownNode }: ServiceOptions): Promise<Devnet> {
  return ownNode === true ? startOwnDevnet() : leaseDevnet();
}

async function putGrpcBetween(core: Core, logger: Logger): Promise<{ core: Core; close(): Promise<void> }> {
  const token = new Secret('a token of the test, long enough');
  const server = await startGrpcServer({ core, address: '127.0.0.1:0', token, reflection: false, logger });
  const client = connectCore({ address: server.address, token });
  return {
    core: client.core,
    close: async () => {
      client.close();
      await server.close();
    },
  };
}

/** A key no one has used yet. */
export function freshKey(): `0x${string}` {
  return generatePrivateKey();
}
