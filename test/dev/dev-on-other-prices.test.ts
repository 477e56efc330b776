import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { startEthereumJs } from '../../server/dev/devnet/ethereumjs/start-ethereumjs.ts';
import { madeUpPrices } from '../support/chain/made-up-prices.ts';
import { startTollfree } from '../support/command-line/running-tollfree.ts';

const chains = [
  { prices: 'of Sepolia', own: {} },
  { prices: 'that no chain has', own: { prices: madeUpPrices } },
];

test.each(chains)(
  'its operations land on a node of another process, with prices $prices',
  async ({ own }) => {
    const node = await startEthereumJs({ port: 0, chainId: 31_337, ...own });
    onTestFinished(() => node.close());
    const folder = mkdtempSync(join(tmpdir(), 'tollfree-dev-on-other-prices-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const ports = ['--port', '0', '--grpc-port', '0', '--admin-port', '0', '--bundler-port', '0'];
    const running = startTollfree(['dev', '--node-url', node.rpcUrl, ...ports, '--data', folder]);
    await running.line('stdout', /Stop: Ctrl-C$/);
    onTestFinished(() => running.stop('SIGTERM').then(() => undefined));
    for (const version of entryPointVersions) {
      const row = running.stdout.find((line) => line.startsWith(`${version} `));
      expect(row).toMatch(/^0\.\d(?: \(default\))? +\$\d+\.\d\d +\d+\.\d\d devUSD, at most \d+\.\d\d *$/);
    }
    const relayed = running.stdout.find((line) => line.startsWith('Relayed without a paymaster contract'));
    expect(relayed).toMatch(/the gas tank paid \$\d+\.\d+ for [\d,]+ gas, \d+(?:\.\d)? % less than/);
  },
  240_000,
);
