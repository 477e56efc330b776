import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { accepted } from '../../clients/cli/accepted.ts';
import { devCoreConfig } from '../../clients/cli/dev/dev-core-config.ts';
import { openDevState } from '../../clients/cli/dev/dev-state.ts';
import { deriveDevKey } from '../../clients/cli/dev/devnet/dev-keys.ts';
import { startDevnet } from '../../clients/cli/dev/devnet/start-devnet.ts';
import { registerPaymaster } from '../../clients/cli/dev/register-paymaster.ts';
import { createLogger } from '../../clients/cli/log/logger.ts';
import { systemClock } from '../../clients/cli/system-clock.ts';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { defaultHoldCaps } from '../../core/domain/hold-caps.ts';
import { startLocalCore } from '../../core/local.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { deployAccount } from './deploy-account.ts';

/** What the load is made against. */
export type BenchTarget = {
  readonly rpcUrl: string;
  readonly target: `0x${string}`;
  readonly token: `0x${string}`;
  readonly paymaster: `0x${string}`;
  readonly entryPoint: `0x${string}`;
  /** A SimpleAccount that is on chain. */
  readonly senders: readonly `0x${string}`[];
  /** The processes of the chain's node and of the service, for what each takes of a processor. */
  readonly nodePid?: number | undefined;
  readonly servicePid?: number;
};

/** Accounts that requests come from: no sender has so many open operations that reading them is what is measured. */
const senderCount = 100;

/**
 * One node as production runs it, but with rate limits and caps on open operations out of the way, on a development chain.
 * Runs as a child process.
 */
/** The folder for its database, by default the one for temporary files. */
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'tollfree-bench-'));
const state = openDevState(folder);
const logger = createLogger('warn');
const devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(state.signerKey.reveal()) });
const config = {
  ...devCoreConfig(devnet, state, await devnet.client.getBlockNumber()),
  holds: { ...defaultHoldCaps, maxOpenHoldsPerSender: 1_000_000, maxShareOfTankPerSender: 1 },
};
const local = await startLocalCore(config, { logger, clock: systemClock });
const gateway = await startGateway({
  core: local.core,
  listen: { host: '127.0.0.1', port: 0 },
  admin: { host: '127.0.0.1', port: 0 },
  // Each request comes from an address of its own.
  trustedProxies: ['127.0.0.1/32'],
  limits: { ...defaultGatewayLimits, requestsPerSecond: 1_000_000, requestBurst: 1_000_000 },
  logger,
  clock: systemClock,
});
const account = accepted(await local.core.createAccount({ name: 'bench' }));
const { authToken } = accepted(await local.core.issueAuthToken({ accountId: account.accountId, name: 'bench' }));
const management = createManagementClient({ baseUrl: gateway.url, authToken });
const paymaster = await registerPaymaster({ devnet, management, gatewayUrl: gateway.url }, '0.7', deriveDevKey(1));
const [token] = devnet.tokens;
if (token === undefined) throw new Error('The development chain has no token.');
const senders: `0x${string}`[] = [];
while (senders.length < senderCount) senders.push(await deployAccount(devnet));

process.once('disconnect', () => {
  void Promise.all([gateway.close(), local.close(), devnet.close()]).then(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
});
const target: BenchTarget = {
  rpcUrl: paymaster.rpcUrl,
  target: devnet.target.address,
  token: token.address,
  paymaster: paymaster.address,
  entryPoint: paymaster.entryPoint,
  senders,
  nodePid: devnet.pid,
  servicePid: process.pid,
};
process.send?.(target);
