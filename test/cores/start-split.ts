import pg from 'pg';
import { vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { RunningTollfree } from '../support/command-line/running-tollfree.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { prepareProcesses } from './prepare-processes.ts';

/** Of a machine that is busy. */
const patience = { timeout: 90_000, interval: 50 };

/** A process that can be stopped and started again as the same one. */
export type CoreProcess = {
  readonly process: RunningTollfree;
  /** Starts it again, once it has ended, and waits until it does its work; as another program where one is given. */
  restart(program?: string): Promise<void>;
};

export type GatewayProcess = CoreProcess & {
  readonly url: string;
  /** What `/readyz` answers; false where nothing does. */
  readiness(): Promise<{ readonly ready: boolean; readonly text: string }>;
};

/** Two cores at one PostgreSQL and two gateways in front of both, as processes of the compiled program. */
export type Split = Pick<ProductionService, 'devnet' | 'families' | 'management' | 'rpcUrl'> & {
  readonly cores: readonly CoreProcess[];
  readonly gateways: readonly GatewayProcess[];
  /** The core that leads, as the database has it. */
  leader(): Promise<CoreProcess>;
  checkLedger(): Promise<string>;
  close(): Promise<void>;
};

type Prepared = Awaited<ReturnType<typeof prepareProcesses>>;

export async function openSplit(): Promise<Split> {
  const prepared = await prepareProcesses();
  const { devnet, families, file, printed } = prepared;
  const addresses = [1, 2].map((number) => `unix:${file(`core-${number}`)}/core.sock`);
  const gateways: GatewayProcess[] = [];
  const cores: CoreProcess[] = [];
  for (const address of addresses) cores.push(await startCore(prepared, address, gateways));
  for (const number of [1, 2]) gateways.push(await startGateway(prepared, number, addresses));
  const [first] = gateways;
  if (first === undefined) throw new Error('There is no gateway.');
  const core = addresses.join(',');
  const accountId = await printed('account', 'create', 'A customer', '--core', core);
  const authToken = await printed('auth-token', 'issue', accountId, '--core', core);
  return {
    devnet,
    families,
    management: createManagementClient({ baseUrl: first.url, authToken }),
    rpcUrl: (apiKey) => `${first.url}/api/v1/${devnet.chainId}/${apiKey}`,
    cores,
    gateways,
    leader: async () => {
      const name = await leaderIn(prepared.databaseUrl);
      const leading = cores.find(({ process }) => name.endsWith(`(process ${process.child.pid})`));
      if (leading === undefined) throw new Error(`${name} leads, which is none of the cores.`);
      return leading;
    },
    checkLedger: () => printed('ledger', 'check', '--core', core),
    close: prepared.close,
  };
}

/** It does its work once no gateway leaves it out. */
async function startCore(
  prepared: Prepared,
  address: string,
  gateways: readonly GatewayProcess[],
): Promise<CoreProcess> {
  const name = address.replace(/^.*\/(core-\d)\/.*$/, '$1');
  const begin = async (program?: string) =>
    (await prepared.start('core', name, { ...prepared.config, grpc: { listen: address } }, program)).process;
  let process = await begin();
  return {
    get process() {
      return process;
    },
    restart: async (program) => {
      process = await begin(program);
      await vi.waitFor(async () => {
        for (const gateway of gateways) {
          const { ready, text } = await gateway.readiness();
          if (!ready || text.includes(address)) throw new Error('A gateway leaves the core out.');
        }
      }, patience);
    },
  };
}

async function leaderIn(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM database_owner');
  await client.end();
  return rows[0]?.name ?? 'no one';
}

async function startGateway(prepared: Prepared, number: number, address: readonly string[]): Promise<GatewayProcess> {
  const { gateway } = prepared.config as { gateway?: object };
  // Rates are out of the way of a few clients that never pause.
  const limits = { requestsPerSecond: 100_000, requestBurst: 100_000 };
  const own = { gateway: { ...gateway, limits, drainDelaySeconds: 1 }, core: { address } };
  const readiness = async (adminUrl: string) => {
    try {
      const answer = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
      return { ready: answer.ok, text: await answer.text() };
    } catch {
      return { ready: false, text: '' };
    }
  };
  const begin = async () => {
    const begun = await prepared.start('gateway', `gateway-${number}`, own);
    await vi.waitFor(async () => {
      if (!(await readiness(begun.said.adminUrl)).ready) throw new Error('The gateway is not ready.');
    }, patience);
    return begun;
  };
  let now = await begin();
  return {
    get process() {
      return now.process;
    },
    get url() {
      return now.said.url;
    },
    readiness: () => readiness(now.said.adminUrl),
    restart: async () => {
      now = await begin();
    },
  };
}
