import { sql } from 'kysely';
import { Secret } from '../../../core/base/values/secret.ts';
import { ensureContractTotals } from '../../../core/ledger/posting/pass-block.ts';
import { NotLeadingError } from '../../../core/store/leading.ts';
import { createNoticeListener, type Notice } from '../../../core/store/notices.ts';
import { openPostgresStore } from '../../../core/store/postgres/open-postgres-store.ts';
import type { Leadership, Store } from '../../../core/store/store.ts';
import type { SeededRandom } from '../../support/arbitrary/seeded-random.ts';
import { chainId } from '../world/world.ts';
import { createCrashSwitch } from './crashing-store.ts';
import { type ObservedServer, observeServer } from './observed-server.ts';
import type { SimulatedService, startSimulatedService } from './simulated-service.ts';
import { type RunningService, startProcess } from './start-process.ts';

/** A process of a cluster. */
export type ClusterCore = RunningService & {
  readonly name: string;
  /** Whether it takes itself for the one that leads. */
  leads(): boolean;
};

/** Several processes at one database of a server. Steps happen at the one whose turn it is, which `running` answers. */
export type CoreCluster = SimulatedService & {
  cores(): readonly ClusterCore[];
  turnTo(core: ClusterCore): void;
  leader(): ClusterCore;
  /** Another one leads. The one before is told, or believes that it still does until the database says otherwise. */
  handOver(to: ClusterCore, reported: boolean): Promise<void>;
  /** Stops one in order and starts another one in its place. */
  replace(core: ClusterCore): Promise<void>;
};

export type ClusterParts = Parameters<typeof startSimulatedService>[0] & {
  readonly url: Secret<string>;
  readonly random: SeededRandom;
  readonly size: number;
};

type Member = {
  readonly core: ClusterCore;
  /** Its database, where it does not die of what is written. */
  readonly db: Store['db'];
  readonly close: () => Promise<void>;
  believe(generation: number | undefined): void;
};

/**
 * Starts cores at a database with the schema and the simulated tenants. Transactions of all cores go one after the other, as the
 * server has them do, in an order that the seed chooses, and the ledger is observed after each before the next begins.
 */
export async function startCoreCluster(parts: ClusterParts): Promise<CoreCluster> {
  const { url, random, size, configured } = parts;
  const observed = await observeServer(url);
  const ear = createNoticeListener();
  observed.hear((text) => ear.reported(text as Notice));
  const turns = createRandomTurns(random);
  let started = 0;
  const members: Member[] = [];
  for (let left = size; left > 0; left -= 1) members.push(await start());
  let leading = members[0] as Member;
  let current = leading;
  await lead(leading);

  async function start(): Promise<Member> {
    started += 1;
    const name = `core ${started}`;
    const own = new URL(url.reveal());
    own.searchParams.set('application_name', name);
    const store = await openPostgresStore(new Secret(own.href));
    let killed: Promise<void> | undefined;
    const crash = createCrashSwitch(() => {
      killed = observed.end(name);
    });
    const leadership = createBelief();
    const inTurn: Store = {
      ...store,
      leadership,
      hear: ear.hear,
      transaction: (work) => turns.take(() => observedTransaction(store, observed, work)),
    };
    await ensureContractTotals(
      inTurn,
      configured.map(({ address }) => ({ chainId, address })),
    );
    const process = startProcess(inTurn, { ...parts, crash, observed });
    return {
      core: { ...process, name, leads: leadership.leads },
      db: store.db,
      believe: leadership.believe,
      close: async () => {
        await process.watcher.close();
        await killed;
        await store.close();
      },
    };
  }

  async function lead(member: Member): Promise<void> {
    const row = await turns.take(() =>
      sql<{ generation: number }>`UPDATE database_owner SET generation = generation + 1 RETURNING generation`.execute(
        member.db,
      ),
    );
    leading = member;
    member.believe(row.rows[0]?.generation);
  }

  function memberOf(core: ClusterCore): Member {
    const found = members.find((member) => member.core === core);
    if (found === undefined) throw new Error('There is no such core any more.');
    return found;
  }

  /** Ends one and puts a new one in its place. */
  async function exchange(gone: Member): Promise<void> {
    await gone.close();
    await turns.take(() => observed.giveBackNumbers());
    const next = await start();
    members.splice(members.indexOf(gone), 1, next);
    if (leading === gone) await lead(random.pick(members));
    if (current === gone) current = leading;
  }

  return {
    running: () => current.core,
    cores: () => members.map(({ core }) => core),
    leader: () => leading.core,
    turnTo: (core) => {
      current = memberOf(core);
    },
    handOver: async (to, reported) => {
      const before = leading;
      if (reported) before.believe(undefined);
      await lead(memberOf(to));
    },
    replace: async (core) => {
      await core.signatures.close();
      await exchange(memberOf(core));
    },
    restartAfterDeath: () => exchange(current),
    restart: () => Promise.reject(new Error('A cluster replaces its cores.')),
    refusesSecondProcess: () => Promise.reject(new Error('A cluster lets others in.')),
    close: async () => {
      for (const member of members) await member.close();
      await observed.disconnect();
    },
  };
}

/** A transaction, and what the ledger is after it. One that is rolled back leaves no gap in the numbers. */
async function observedTransaction<T>(
  store: Store,
  observed: ObservedServer,
  work: Parameters<typeof store.transaction<T>>[0],
): Promise<T> {
  try {
    const result = await store.transaction(work);
    await observed.refresh();
    return result;
  } catch (cause) {
    await observed.giveBackNumbers();
    throw cause;
  }
}

/** What a process believes of who leads, compared with what the database says wherever it writes as the one that does. */
function createBelief(): Leadership & { believe(generation: number | undefined): void } {
  const listeners = new Set<() => void>();
  let believed: number | undefined;
  const believe = (generation: number | undefined) => {
    const changed = (believed === undefined) !== (generation === undefined);
    believed = generation;
    if (changed) for (const listener of listeners) listener();
  };
  return {
    // How the ledger stands is told by timers, which never fire here.
    isShared: false,
    leads: () => believed !== undefined,
    leader: async () => undefined,
    believe,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    check: async (trx) => {
      const { rows } = await sql<{ generation: number }>`SELECT generation FROM database_owner`.execute(trx);
      if (believed !== undefined && rows[0]?.generation === believed) return;
      believe(undefined);
      throw new NotLeadingError();
    },
  };
}

/** Lets one do its work at a time; who comes next is for the seed to say. */
function createRandomTurns(random: SeededRandom) {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (taken) await new Promise<void>((served) => waiting.push(served));
      taken = true;
      try {
        return await work();
      } finally {
        const [next] = waiting.splice(random.below(waiting.length), 1);
        if (next === undefined) taken = false;
        else next();
      }
    },
  };
}
