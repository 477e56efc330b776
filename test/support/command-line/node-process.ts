import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from 'viem';
import { vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { devPaymasterVersions } from '../../../server/dev/dev-core-config.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { type RunningTollfree, startTollfree } from './running-tollfree.ts';
import { writeKeystore } from './write-keystore.ts';

const password = 'a password of the test';
/** A limit that no test comes near. */
const manyTimes = 1_000_000;

/** Where a running `tollfree node` listens. */
export type NodeAddresses = { readonly url: string; readonly adminUrl: string; readonly grpc: string };

/** A development chain, and a real `tollfree node` process on it that can be killed and started on the same files. */
export type NodeProcess = {
  readonly devnet: Devnet;
  /** Of the key that signs at the start; it owns the paymaster contracts too. */
  readonly signer: Address;
  readonly databaseFile: string;
  /** Starts the node and resolves when it is ready. */
  start(): Promise<NodeAddresses>;
  /** Writes another key next to the first, `signer`, and answers its address. */
  addKeystore(name: string): Address;
  /** Changes what the configuration file says the chain's signing keys are, by their names, the newest first. */
  configureSigners(...names: readonly string[]): void;
  /**
   * Changes what the configuration file says the master keys are, by name. A key without a file is made. The first is
   * called `master`.
   */
  configureMasterKeys(newest: string, ...previous: readonly string[]): void;
  /** Changes which paymaster contracts it has and which node it asks, for the next start. */
  configureChain(chain: { readonly versions: readonly EntryPointVersion[]; readonly nodeUrl: string }): void;
  /** Changes the bundler that the chain has, and what is relayed, for the next start. */
  configureBundler(bundler: object): void;
  signal(signal: NodeJS.Signals): void;
  /** The first line of its log from now on that matches, or a later one. */
  nextLine(pattern: RegExp, which?: number): Promise<string>;
  /** What the running node has logged since this was last asked. */
  takeLog(): readonly string[];
  /** Memory of the running node that is in use (`VmRSS` of Linux), in KiB. */
  residentKib(): number;
  /** Ends it without a chance to tidy up. */
  kill(): Promise<void>;
  close(): Promise<void>;
};

export type NodeProcessOptions = {
  /** Opens the chain instead of starting one; the test closes what it opened beyond that. */
  readonly openChain?: (paymasterSigner: Address) => Promise<Devnet>;
  /** Arguments for `node`; the compiled program of the run when absent. */
  readonly program?: readonly string[];
};

/** Everything is set up but the node, which is not started. It waits for so many confirmations. */
export async function prepareNodeProcess(
  confirmations: number,
  { openChain = (paymasterSigner) => startDevnet({ port: 0, paymasterSigner }), program }: NodeProcessOptions = {},
): Promise<NodeProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-node-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'cd'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  const paymasterSigner = writeKeystore(file('signer.json'), password);
  const devnet = await openChain(paymasterSigner);
  let config: object = configuration(devnet, confirmations);
  const configure = (over: object) => {
    config = { ...config, ...over };
    writeFileSync(file('config.json'), JSON.stringify(config));
  };
  configure({});
  let running: RunningTollfree | undefined;
  const now = () => {
    if (running === undefined) throw new Error('The node has not been started.');
    return running;
  };
  const kill = async () => {
    await running?.stop('SIGKILL');
  };
  return {
    devnet,
    signer: paymasterSigner,
    databaseFile: file('tollfree.db'),
    async start() {
      running = startTollfree(['node', '--config', file('config.json')], program === undefined ? {} : { program });
      const location: NodeAddresses = JSON.parse(await running.line('stderr', /"msg":"started"/));
      const ready = async () => {
        const { status } = await fetch(`${location.adminUrl}/readyz`);
        if (status !== 200) throw new Error(`/readyz answers ${status}.`);
      };
      await vi.waitFor(ready, { timeout: 30_000 });
      return location;
    },
    addKeystore: (name) => writeKeystore(file(`${name}.json`), password),
    configureSigners(...names) {
      const signers = names.map((name) => ({ keystoreFile: `${name}.json`, passwordFile: 'password' }));
      const { chains } = configuration(devnet, confirmations);
      configure({ chains: chains.map(({ signer: _, ...chain }) => ({ ...chain, signers })) });
    },
    configureMasterKeys(newest, ...previous) {
      for (const name of [newest, ...previous]) {
        if (existsSync(file(`${name}.key`))) continue;
        writeFileSync(file(`${name}.key`), randomBytes(32).toString('hex'), { mode: 0o600 });
      }
      configure({
        masterKeyFile: `${newest}.key`,
        previousMasterKeyFiles: previous.map((name) => `${name}.key`),
      });
    },
    configureChain({ versions, nodeUrl }) {
      const wanted = versions.map((version) => devPaymasterVersions[version]);
      const { chains } = configuration(devnet, confirmations);
      configure({
        chains: chains.map((chain) => ({
          ...chain,
          nodeUrls: [nodeUrl],
          paymasterContracts: chain.paymasterContracts.filter(({ version }) => wanted.includes(version)),
        })),
      });
    },
    configureBundler(bundler) {
      const { chains } = configuration(devnet, confirmations);
      configure({ chains: chains.map((chain) => ({ ...chain, bundler })) });
    },
    signal: (signal) => void now().child.kill(signal),
    nextLine: (pattern, which) => now().nextLine('stderr', pattern, which),
    takeLog: () => now().stderr.splice(0),
    residentKib() {
      const status = readFileSync(`/proc/${now().child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    },
    kill,
    async close() {
      await kill();
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** All paymaster contracts and tokens of the chain; signs what it is asked to, as often as it is asked. */
function configuration(devnet: Devnet, confirmations: number) {
  const price = (usd: string) => ({ sources: [{ kind: 'fixed', usd }], minimumSources: 1 });
  return {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    gateway: {
      listen: '127.0.0.1:0',
      adminListen: '127.0.0.1:0',
      limits: {
        requestsPerSecond: manyTimes,
        requestBurst: manyTimes,
        managementPerSecond: manyTimes,
        managementBurst: manyTimes,
        failedLoginsPerMinute: manyTimes,
      },
    },
    grpc: { listen: 'unix:core.sock' },
    chains: [
      {
        chainId: devnet.chainId,
        name: 'Development chain',
        nodeUrls: [devnet.rpcUrl],
        callTimeoutMs: 20_000,
        paymasterContracts: entryPointVersions.map((version) => ({
          version: devPaymasterVersions[version],
          family: devnetFamilies[version],
          address: devnet.paymasterContracts[devnetFamilies[version]],
          tokenRecipient: devnet.tokenRecipient,
        })),
        tokens: devnet.tokens.map(({ symbol, address, decimals }) => ({
          symbol,
          address,
          decimals,
          price: price('1'),
        })),
        nativePrice: price('2000'),
        signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
        maxFeePerGasCeiling: '500 gwei',
        maxCostPerOperation: '1 ether',
        confirmations,
        pollIntervalMs: 100,
        maxGasOverEstimate: 1_000_000,
        maxPreVerificationGasOverEstimate: 1_000_000,
        allowRevertingOperations: true,
      },
    ],
  };
}
