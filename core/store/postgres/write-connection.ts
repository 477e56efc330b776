import { createHash } from 'node:crypto';
import pg from 'pg';
import { postgresLimits } from './connection-options.ts';
import { readServerHistory, type ServerHistory } from './read-server-history.ts';

/** The single writing connection of a process, reopened when it breaks. */
export type WriteConnection = {
  /** The current connection, or a new one. */
  get(): Promise<pg.Client>;
  /** The history position of a connection's server when it was opened. */
  historyOf(client: pg.Client): ServerHistory | undefined;
  /** A second connection, which the caller must end. */
  connectBeside(): Promise<pg.Client>;
  /** Discards a connection in an unknown state. */
  drop(client: pg.Client): void;
  end(): Promise<void>;
};

export function createWriteConnection(options: pg.ClientConfig): WriteConnection {
  let current: pg.Client | undefined;
  const histories = new WeakMap<pg.Client, ServerHistory>();

  const forget = (client: pg.Client) => {
    if (current === client) current = undefined;
  };

  return {
    get: async () => {
      if (current !== undefined) return current;
      const client = await connect(options);
      const history = await readServerHistory(client);
      if (history !== undefined) histories.set(client, history);
      client.on('end', () => forget(client));
      client.on('error', () => forget(client));
      current = client;
      return client;
    },
    historyOf: (client) => histories.get(client),
    connectBeside: () => connect(options),
    drop: (client) => {
      forget(client);
      end(client);
    },
    end: async () => {
      const last = current;
      current = undefined;
      await last?.end();
    },
  };
}

async function connect(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...options, pipeline: true });
  // Without a listener it would end the process; the next query reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(settings);
    return client;
  } catch (error) {
    end(client);
    throw error;
  }
}

/** Whether the server plans a statement for the values of each run, or once for any. */
export type PlanMode = 'auto' | typeof fixedPlanMode;

/** Of fixed statements, since planning one takes longer than running it. */
export const fixedPlanMode = 'force_generic_plan';

/** The server notices within a minute that this side is gone, and drops its locks. */
const settings = [
  `SET tcp_keepalives_idle = ${postgresLimits.keepAliveSeconds}`,
  `SET tcp_keepalives_interval = ${postgresLimits.keepAliveEverySeconds}`,
  `SET tcp_keepalives_count = ${postgresLimits.keepAliveCount}`,
  `SET plan_cache_mode = ${fixedPlanMode}`,
].join('; ');

/** Without waiting: the other side may not answer any more. */
function end(client: pg.Client): void {
  client.end().catch(() => {});
}

/** By SQL; bounded by the number of fixed statements. */
const names = new Map<string, string>();

/** The name under which a connection keeps a fixed statement prepared. */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}
