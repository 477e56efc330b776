import pg from 'pg';
import { vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { RunningTollfree } from '../support/command-line/running-tollfree.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { prepareProcesses } from './prepare-processes.ts';

/** A `tollfree node` among others at one database. */
export type RunningNode = {
  readonly process: RunningTollfree;
  readonly url: string;
  /** Whether it is ready, and whether it keeps the ledger. Rejects when it does not respond within a second. */
  look(): Promise<{ readonly isReady: boolean; readonly leads: boolean }>;
};

/** What tests of several nodes work with; what makes paymasters speaks to the first node. */
export type Nodes = Pick<ProductionService, 'devnet' | 'families' | 'management' | 'rpcUrl'> & {
  /** Starts one more, which is ready. */
  start(): Promise<RunningNode>;
  /** What the operator's check of the ledger says, by a node. */
  checkLedger(node: RunningNode): Promise<string>;
  /** Has the database say that it lost data just now. */
  loseData(): Promise<void>;
  /** What `tollfree ledger resume` says, by a node, with flags of a test. */
  resumeLedger(node: RunningNode, ...flags: readonly string[]): Promise<string>;
  close(): Promise<void>;
};

/** The compiled program as processes on one PostgreSQL database and one chain; `first` is where paymasters are made. */
export async function openNodes(): Promise<{ readonly nodes: Nodes; readonly first: RunningNode }> {
  const { devnet, families, config, file, printed, ...processes } = await prepareProcesses();
  const started = new Map<RunningNode, string>();

  async function start(): Promise<RunningNode> {
    const name = `node-${started.size + 1}`;
    const grpc = { listen: `unix:${name}.sock` };
    const { process, said } = await processes.start('node', name, { ...config, grpc });
    const { url, adminUrl } = said;
    const look = async () => {
      const answer = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(1_000) });
      const { parts }: { parts: { part: string; detail: string }[] } = await answer.json();
      const leads = parts.some(({ part, detail }) => part === 'ledger' && detail.endsWith(', this process'));
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
    loseData: async () => {
      const client = new pg.Client(processes.databaseUrl);
      await client.connect();
      await client.query('UPDATE database_owner SET lost_at = floor(extract(epoch FROM now()))::bigint');
      await client.end();
    },
    resumeLedger: (node, ...flags) => {
      const at = ['--core', started.get(node) ?? '', '--database-url', processes.databaseUrl];
      return printed('ledger', 'resume', ...at, ...flags);
    },
    checkLedger: (node) => printed('ledger', 'check', '--core', started.get(node) ?? ''),
    close: processes.close,
  };
  return { nodes, first };
}
