import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import { inject, vi } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../../clients/sdk/create-management-client.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { leaseDevnet, leasedSignerKey, startOwnDevnet } from '../chain/lease-devnet.ts';
import { runInPlace } from '../command-line/run-in-place.ts';
import { type RunningTollfree, startTollfree } from '../command-line/running-tollfree.ts';
import { writeKeystore } from '../command-line/write-keystore.ts';
import { type DeployedFamilies, deployFamilies } from '../paymaster-contracts/deploy-families.ts';
import { type ProductionSettings, productionConfig } from './production-config.ts';

/** Where a service in production form is, and the chain next to it. */
export type ProductionService = {
  readonly url: string;
  /** Where health and metrics are. */
  readonly adminUrl: string;
  /** Where internal callers reach the core, with gRPC. */
  readonly coreAddress: string;
  /** What the process was started with. */
  readonly configFile: string;
  readonly devnet: Devnet;
  /** The chain's paymaster contracts, by family. */
  readonly families: DeployedFamilies;
  /** Management calls over HTTP of the account that the operator has made. */
  readonly management: ManagementClient;
  /** Runs a command of the operator against the running core and answers what it prints. */
  operate(...args: readonly string[]): Promise<string>;
  /** Runs a command of the account holder on one of its paymasters and answers what it prints. */
  manage(apiKey: string, ...args: readonly string[]): Promise<string>;
  rpcUrl(apiKey: string): string;
  /** Sets the time of the service's machine so many milliseconds ahead of this one's; the chain's stays. */
  setAhead(milliseconds: number): void;
  /** Sets it right, and waits until the service has looked at the chain since: it takes nothing for new that it saw before. */
  setRight(): Promise<void>;
  close(): Promise<void>;
};

export type ProductionOptions = {
  /** Starts a node for it, which the test may have do what no other test expects. */
  readonly ownNode?: boolean;
  /** Megabytes that the objects of the process may take together; more ends it. As Node.js chooses when absent. */
  readonly heapMegabytes?: number;
  /** What is on the chain before the service starts; its answer is what the operator writes next to what he has to. */
  readonly settings?: (devnet: Devnet) => ProductionSettings | Promise<ProductionSettings>;
  /** Where its database is, if not with its other files. */
  readonly databaseFolder?: string;
};

const password = 'a password of the test';

/**
 * The compiled program as a process, on a chain that no one else uses meanwhile: `tollfree node` with a configuration that
 * has what an operator has to set and else what is shipped.
 */
export async function startProductionService({
  settings,
  ownNode,
  databaseFolder,
  heapMegabytes,
}: ProductionOptions = {}): Promise<ProductionService> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-production-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'ab'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  writeKeystore(file('signer.json'), password, leasedSignerKey);
  const devnet = await (ownNode === true ? startOwnDevnet() : leaseDevnet());
  const families = await deployFamilies({ devnet, signer: privateKeyToAccount(leasedSignerKey), close: devnet.close });
  const config = productionConfig(devnet, families, (await settings?.(devnet)) ?? {});
  writeFileSync(file('config.json'), JSON.stringify(config));
  const databaseFile = join(databaseFolder ?? folder, 'tollfree.db');
  const clean = async () => {
    await devnet.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { database, authToken } = await openAccount(file('config.json'));
    writeFileSync(databaseFile, database);
    writeFileSync(file('config.json'), JSON.stringify({ ...config, databaseFile }));
    writeFileSync(file('auth-token'), authToken, { mode: 0o600 });
    const { running, url, adminUrl } = await startNode(folder, heapMegabytes);
    const coreAddress = `unix:${file('core.sock')}`;
    const owned = ['--url', url, '--auth-token-file', file('auth-token')];
    return {
      url,
      adminUrl,
      coreAddress,
      configFile: file('config.json'),
      devnet,
      families,
      management: createManagementClient({ baseUrl: url, authToken }),
      operate: (...args) => printed([...args, '--core', coreAddress]),
      manage: (apiKey, ...args) => printed([...args, ...owned, '--api-key', apiKey]),
      rpcUrl: (apiKey) => `${url}/api/v1/${devnet.chainId}/${apiKey}`,
      setAhead: (milliseconds) => writeFileSync(file('ahead'), String(milliseconds)),
      setRight: async () => {
        writeFileSync(file('ahead'), '0');
        await waitUntilReady(adminUrl);
      },
      close: async () => {
        await running.stop('SIGTERM');
        await clean();
      },
    };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** A database with an account in it, made as an operator does it, and the account's authToken. */
type Opened = { readonly database: Buffer; readonly authToken: string };
let opened: Promise<Opened> | undefined;

/** The worker's services begin with copies of one database. */
function openAccount(configFile: string): Promise<Opened> {
  opened ??= createAccount(configFile);
  return opened;
}

async function createAccount(configFile: string): Promise<Opened> {
  const accountId = await printed(['account', 'create', 'A customer', '--config', configFile]);
  const authToken = await printed(['auth-token', 'issue', accountId, '--config', configFile]);
  return { database: readFileSync(join(dirname(configFile), 'tollfree.db')), authToken };
}

async function printed(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInPlace(args, { env: production });
  if (code !== 0) throw new Error(`tollfree ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

const production = { NODE_ENV: 'production' };

/**
 * A process cannot be given another time from outside: this is loaded before the program. Where a test bounds its heap, what it
 * says of its memory leaves out what nothing refers to any more.
 */
const shiftedClock = `
import { readFileSync } from 'node:fs';
const now = Date.now;
Date.now = () => now() + Number(readFileSync(new URL('ahead', import.meta.url), 'utf8'));
const { gc } = globalThis;
const { memoryUsage } = process;
if (gc !== undefined) {
  process.memoryUsage = Object.assign(() => {
    gc();
    return memoryUsage();
  }, memoryUsage);
}
`;

type StartedNode = { readonly running: RunningTollfree; readonly url: string; readonly adminUrl: string };

async function startNode(folder: string, heapMegabytes: number | undefined): Promise<StartedNode> {
  const file = (name: string) => join(folder, name);
  writeFileSync(file('ahead'), '0');
  writeFileSync(file('shifted-clock.mjs'), shiftedClock);
  const heap = heapMegabytes === undefined ? [] : ['--expose-gc', `--max-old-space-size=${heapMegabytes}`];
  const program = [...heap, '--import', pathToFileURL(file('shifted-clock.mjs')).href, inject('program')];
  const running = startTollfree(['node', '--config', file('config.json')], { env: production, program });
  const { url, adminUrl }: { url: string; adminUrl: string } = JSON.parse(
    await running.line('stderr', /"msg":"started"/),
  );
  await waitUntilReady(adminUrl);
  return { running, url, adminUrl };
}

async function waitUntilReady(adminUrl: string): Promise<void> {
  const ready = async () => {
    const { status } = await fetch(`${adminUrl}/readyz`);
    if (status !== 200) throw new Error(`/readyz answers ${status}.`);
  };
  await vi.waitFor(ready, { timeout: 30_000, interval: 20 });
}
