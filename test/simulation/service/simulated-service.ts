import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../core/base/time/clock.ts';
import { StartError } from '../../../core/domain/start-error.ts';
import { ensureContractTotals } from '../../../core/ledger/posting/pass-block.ts';
import { lockDatabase } from '../../../core/store/sqlite/lock-database.ts';
import { openSqliteStore } from '../../../core/store/sqlite/open-sqlite-store.ts';
import { insertPaymaster } from '../../support/core/ledger-lab.ts';
import type { NodeClients } from '../chain/node-clients.ts';
import { accountId, chainId, type SimulatedContract, tenants } from '../world/world.ts';
import { createCrashSwitch } from './crashing-store.ts';
import { observeLedger } from './observed-ledger.ts';
import { type Committed, type RunningService, startProcess } from './start-process.ts';

/** A service that can be stopped, killed and started again on what its file had at that moment. */
export type SimulatedService = {
  running(): RunningService;
  /** Starts again on the file that the process that died has left. */
  restartAfterDeath(): Promise<void>;
  /**
   * Stops in order while a second process waits for the file, which takes over with these paymaster contracts in its
   * configuration. A process that dies meanwhile is left dead.
   */
  restart(configured: readonly SimulatedContract[]): Promise<void>;
  /** Tries to start a second process on the same file; whether it was refused. */
  refusesSecondProcess(): Promise<boolean>;
  close(): Promise<void>;
};

export async function startSimulatedService(parts: {
  readonly connect: () => NodeClients;
  readonly clock: Clock;
  /** Called at once after each transaction, before anything else happens. */
  readonly onCommit: (committed: Committed) => void;
  /** The first block that is read. */
  readonly startBlock: number;
  readonly configured: readonly SimulatedContract[];
}): Promise<SimulatedService> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tollfree-simulation-'));
  let generation = 0;
  const fileOf = (number: number): string => join(folder, `${number}.db`);
  emptyLedger ??= createLedgers(join(folder, 'empty.db'));
  writeFileSync(fileOf(0), await emptyLedger);
  let lock = await takeLock(fileOf(0));
  let running = await start(parts.configured);

  /** Starts on the file whose lock has been taken. */
  async function start(configured: readonly SimulatedContract[]): Promise<RunningService> {
    const file = fileOf(generation);
    const crash = createCrashSwitch(() => copyAsKilled(file, fileOf(generation + 1)));
    const store = await openSqliteStore(file);
    await ensureContractTotals(
      store,
      configured.map(({ address }) => ({ chainId, address })),
    );
    return startProcess(store, { ...parts, configured, crash, observed: observeLedger(file) });
  }

  async function stopInOrder(): Promise<void> {
    const { signatures, watcher, crash } = running;
    await signatures.close();
    await watcher.close();
    if (crash.isDead()) return;
    await stop(running);
    lock?.release();
    lock = undefined;
  }

  return {
    running: () => running,
    refusesSecondProcess: async () => (await takeLock(fileOf(generation))) === undefined,
    restartAfterDeath: async () => {
      await stop(running);
      lock?.release();
      for (const end of ['', '-wal', '-shm', '.lock']) rmSync(`${fileOf(generation)}${end}`, { force: true });
      generation += 1;
      lock = await takeLock(fileOf(generation));
      running = await start(running.configured);
    },
    restart: async (configured) => {
      const stopping = stopInOrder();
      const isOver = () => running.crash.isDead() || lock === undefined;
      let next: DatabaseLock | undefined;
      while (next === undefined && !running.crash.isDead()) {
        next = await takeLock(fileOf(generation));
        if (next !== undefined && !isOver()) throw new Error('A second process began while the first one wrote.');
        await new Promise((resolve) => setImmediate(resolve));
      }
      await stopping;
      if (next === undefined) return;
      lock = next;
      running = await start(configured);
    },
    close: async () => {
      await stop(running);
      lock?.release();
      rmSync(folder, { recursive: true });
    },
  };
}

type DatabaseLock = Awaited<ReturnType<typeof lockDatabase>>;

/** Makes a process the one that keeps the ledger; undefined while another one does. */
async function takeLock(file: string): Promise<DatabaseLock | undefined> {
  try {
    return await lockDatabase(file);
  } catch (cause) {
    if (cause instanceof StartError) return undefined;
    throw cause;
  }
}

async function stop({ watcher, store, observed }: RunningService): Promise<void> {
  await watcher.close();
  observed.close();
  await store.close();
}

/** What a kill leaves: the file and its write-ahead log; what was not committed is in neither. */
function copyAsKilled(from: string, to: string): void {
  for (const end of ['', '-wal']) if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`);
}

/** Made once: every world starts from a copy of it. */
let emptyLedger: Promise<Uint8Array> | undefined;

/** The content of a new file with the simulated tenants. */
async function createLedgers(file: string): Promise<Uint8Array> {
  const store = await openSqliteStore(file);
  for (const { paymasterId } of tenants) await insertPaymaster(store, { paymasterId, accountId });
  await store.close();
  return readFileSync(file);
}
