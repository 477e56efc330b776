import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getAddress } from 'viem';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';

const run = promisify(execFile);

/** What `tollfree node` needs next to itself: a chain, keys and a configuration file. */
export type ServiceFolder = { readonly configFile: string; readonly coreAddress: string; close(): Promise<void> };

/** Makes the keys with `tollfree` (a command and its first arguments), starts a chain, and writes the configuration. */
export async function prepareServiceFolder(tollfree: readonly [string, ...string[]]): Promise<ServiceFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-service-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'ef'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), 'a password of the test', { mode: 0o600 });
  const [program, ...first] = tollfree;
  const create = ['keystore', 'create', '--out', file('signer.json'), '--password-file', file('password')];
  const { stdout } = await run(program, [...first, ...create]);
  const devnet = await startDevnet({ port: 0, paymasterSigner: getAddress(stdout.trim()) });
  const family = 'pimlico-singleton-0.7';
  const config = {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    gateway: { listen: '127.0.0.1:0', adminListen: '127.0.0.1:0' },
    grpc: { listen: 'unix:core.sock' },
    chains: [
      {
        chainId: devnet.chainId,
        name: 'Development chain',
        nodeUrls: [devnet.rpcUrl],
        paymasterContracts: [
          {
            version: '2.0.0',
            family,
            address: devnet.paymasterContracts[family],
            tokenRecipient: devnet.tokenRecipient,
          },
        ],
        nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1 },
        signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
        maxFeePerGasCeiling: '500 gwei',
        maxCostPerOperation: '1 ether',
      },
    ],
  };
  writeFileSync(file('config.json'), JSON.stringify(config));
  return {
    configFile: file('config.json'),
    coreAddress: `unix:${file('core.sock')}`,
    async close() {
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
