import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address, Hex } from 'viem';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { forward, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { ether, version } from './hot-wallet-lab.ts';

const password = 'a password of the test';
export const patience = { timeout: 40_000, interval: 50 };

/** The compiled program with a hot wallet, on a chain of its own whose node keeps what it is sent. */
export type KilledLab = {
  readonly devnet: Devnet;
  readonly hotWallet: Address;
  file(name: string): string;
  /** The transactions that the service has sent since {@link takeFromNow}. */
  sent(): readonly Hex[];
  /** Whether the node takes transactions. One that it does not take is never answered: the process waits for it when it is killed. */
  takeFromNow(takes: boolean): void;
  /** Writes a configuration with these settings of the chain. */
  writeConfig(name: string, chain: object): void;
  /** Starts the service, and waits until it says so. */
  start(config?: string): Promise<{ readonly url: string }>;
  kill(): Promise<void>;
  close(): Promise<void>;
};

export async function openKilledLab(): Promise<KilledLab> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-hot-wallet-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'cd'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  const devnet = await startDevnet({ port: 0, paymasterSigner: writeKeystore(file('signer.json'), password) });
  const hotWallet = writeKeystore(file('hot.json'), password);
  await devnet.client.setBalance({ address: hotWallet, value: ether('50') });
  let sent: Hex[] = [];
  let takes = true;
  const node = await startRpcServer(async (request, response) => {
    if (request.method === 'eth_sendRawTransaction') {
      sent.push(request.params[0] as Hex);
      if (!takes) return;
    }
    respond(response, await forward(devnet.rpcUrl, request));
  });
  let running: RunningTollfree | undefined;
  const kill = async () => void (await running?.stop('SIGKILL'));
  return {
    devnet,
    hotWallet,
    file,
    kill,
    sent: () => sent,
    takeFromNow: (now) => {
      [takes, sent] = [now, []];
    },
    writeConfig: (name, chain) =>
      writeFileSync(file(name), JSON.stringify(configuration(devnet, { nodeUrls: [node.url], ...chain }))),
    start: async (config = 'config.json') => {
      running = startTollfree(['node', '--config', file(config)]);
      return JSON.parse(await running.line('stderr', /"msg":"started"/));
    },
    close: async () => {
      await kill();
      await node.close();
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration({ chainId, paymasterContracts, tokenRecipient }: Devnet, chain: object) {
  const family = devnetFamilies[version];
  return {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    gateway: { listen: '127.0.0.1:0', adminListen: '127.0.0.1:0' },
    grpc: { listen: 'unix:core.sock' },
    signers: { hot: { keystoreFile: 'hot.json', passwordFile: 'password' } },
    chains: [
      {
        chainId,
        name: 'Development chain',
        paymasterContracts: [{ version: '4.0.0', family, address: paymasterContracts[family], tokenRecipient }],
        nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
        signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
        maxFeePerGasCeiling: '500 gwei',
        maxCostPerOperation: '1 ether',
        callTimeoutMs: 20_000,
        confirmations: 2,
        pollIntervalMs: 50,
        ...chain,
      },
    ],
  };
}
