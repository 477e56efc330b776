import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { runTollfree } from '../support/command-line/run-tollfree.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { deployFamilies } from '../support/paymaster-contracts/deploy-families.ts';
import { productionConfig } from '../support/service/production-config.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { emptyPostgres } from '../support/store/test-database.ts';

/** A `tollfree node` among others at one database. */
export type RunningNode = {
  readonly process: RunningTollfree;
  readonly url: string;
  /** Whether it is ready, and whether it keeps the books. Rejects when it does not answer within a second. */
  look(): Promise<{ readonly isReady: boolean; readonly leads: boolean }>;
};

/** What tests of several nodes work with; what makes paymasters speaks to the first node. */
export type Nodes = Pick<ProductionService, 'devnet' | 'families' | 'management' | 'rpcUrl'> & {
  /** Starts one more, which is ready. */
  start(): Promise<RunningNode>;
  /** What the operator's check of the books says, by a node. */
  checkLedger(node: RunningNode): Promise<string>;
  close(): Promise<void>;
};

const password = 'a password of the test';

/** The compiled program as processes on one PostgreSQL database and one chain; `first` is where paymasters are made. */
export async function openNodes(): Promise<{ readonly nodes: Nodes; readonly first: RunningNode }> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-cores-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'ab'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  writeKeystore(file('signer.json'), password, leasedSignerKey);
  const devnet = await leaseDevnet();
  const families = await deployFamilies({ devnet, signer: privateKeyToAccount(leasedSignerKey), close: devnet.close });
  const { databaseFile: _, ...config } = productionConfig(devnet, families, {}) as { databaseFile: string };
  const databaseUrl = (await emptyPostgres()).reveal();
  const started = new Map<RunningNode, string>();

  async function start(): Promise<RunningNode> {
    const name = `node-${started.size + 1}`;
    const grpc = { listen: `unix:${name}.sock` };
    writeFileSync(file(`${name}.json`), JSON.stringify({ ...config, databaseUrl, grpc }));
    const process = startTollfree(['node', '--config', file(`${name}.json`)], { env: { NODE_ENV: 'production' } });
    const line = await process.line('stderr', /"msg":"started"/);
    const { url, adminUrl }: { url: string; adminUrl: string } = JSON.parse(line);
    const look = async () => {
      const answer = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(1_000) });
      const { parts }: { parts: { part: string; detail: string }[] } = await answer.json();
      const leads = parts.some(({ part, detail }) => part === 'books' && detail === 'this process keeps them');
      return { isReady: answer.ok, leads };
    };
    const node = { process, url, look };
    started.set(node, `unix:${file(`${name}.sock`)}`);
    await vi.waitFor(
      async () => {
        if (!(await look()).isReady) throw new Error('It is not ready.');
      },
      { timeout: 60_000, interval: 20 },
    );
    return node;
  }

  const first = await start();
  const core = started.get(first) ?? '';
  const accountId = await printed('account', 'create', 'A customer', '--core', core);
  const authToken = await printed('auth-token', 'issue', accountId, '--core', core);
  const nodes: Nodes = {
    devnet,
    families,
    management: createManagementClient({ baseUrl: first.url, authToken }),
    rpcUrl: (apiKey) => `${first.url}/api/v1/${devnet.chainId}/${apiKey}`,
    start,
    checkLedger: (node) => printed('ledger', 'check', '--core', started.get(node) ?? ''),
    close: async () => {
      for (const { process } of started.keys()) {
        const { child } = process;
        if (child.exitCode === null && child.signalCode === null) await process.stop('SIGCONT', 'SIGKILL');
      }
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return { nodes, first };
}

async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runTollfree(args, { env: { NODE_ENV: 'production' } });
  if (code !== 0) throw new Error(`tollfree ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout.trim();
}
