import type { KyselyPlugin, QueryId, RootOperationNode, Transaction } from 'kysely';
import type { Database } from '../../../core/store/database.ts';
import type { StatementRuns } from '../../../core/store/statements/fixed-statement.ts';
import type { TogetherConnection } from '../../../core/store/statements/run-together.ts';
import type { Store } from '../../../core/store/store.ts';

/** The simulated process has died; nothing that it began goes on. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** Decides when a process dies: at one of the points before and after each write and each commit. */
export type CrashSwitch = {
  /** The process dies at the point that comes after so many others. */
  arm(points: number): void;
  disarm(): void;
  isDead(): boolean;
  /** Where it died, in words. */
  diedAt(): string | undefined;
  /** The points that were reached so far, in words. */
  reached(): readonly string[];
  /** A point is reached. Throws from then on when the process dies. */
  pass(point: string): void;
  /** Transactions committed since the process began. */
  commits(): number;
  /** What is to be done at once after each commit. */
  onCommit(listener: () => void): void;
  committed(): void;
};

/** `onDeath` runs at the very moment, with the file as a kill would leave it. */
export function createCrashSwitch(onDeath: () => void): CrashSwitch {
  let left: number | undefined;
  let died: string | undefined;
  const reached: string[] = [];
  let commits = 0;
  let listener: (() => void) | undefined;
  return {
    arm: (points) => {
      left = points;
    },
    disarm: () => {
      left = undefined;
    },
    isDead: () => died !== undefined,
    diedAt: () => died,
    reached: () => reached,
    pass: (point) => {
      reached.push(point);
      if (died === undefined && left === 0) {
        died = point;
        onDeath();
      }
      if (died !== undefined) throw new ProcessDied(died);
      if (left !== undefined) left -= 1;
    },
    commits: () => commits,
    onCommit: (next) => {
      listener = next;
    },
    committed: () => {
      commits += 1;
      listener?.();
    },
  };
}

/** The store of a process that may die at each of its writes and commits. */
export function createCrashingStore(store: Store, crash: CrashSwitch): Store {
  const plugin = crashAtWrites(crash);
  const refuseDead = (): void => {
    if (crash.isDead()) throw new ProcessDied(crash.diedAt());
  };
  return {
    db: store.db.withPlugin(plugin),
    reading: store.reading,
    leadership: store.leadership,
    hear: store.hear,
    lostAt: store.lostAt,
    damage: store.damage,
    close: () => store.close(),
    read: async (work) => {
      refuseDead();
      return store.read(work);
    },
    transaction: async (work) => {
      refuseDead();
      const result = await store.transaction(async (transaction) => {
        refuseDead();
        const done = await crashingTogether(transaction, crash, () => work(transaction.withPlugin(plugin)));
        crash.pass('before a commit');
        return done;
      });
      crash.committed();
      crash.pass('after a commit');
      return result;
    },
  };
}

/** Fixed statements go past plugins, to the connection: each is run by itself there, between its two points. */
async function crashingTogether<T>(
  transaction: Transaction<Database>,
  crash: CrashSwitch,
  work: () => Promise<T>,
): Promise<T> {
  const connection = await transaction.getExecutor().provideConnection(async (own) => own as TogetherConnection);
  const { runTogether } = connection;
  const run = runTogether.bind(connection);
  connection.runTogether = async (statements) => {
    const answers: (readonly unknown[])[] = [];
    for (const statement of statements) answers.push(await runPassing(statement, crash, run));
    return answers;
  };
  try {
    return await work();
  } finally {
    connection.runTogether = runTogether;
  }
}

async function runPassing(statement: StatementRuns, crash: CrashSwitch, run: TogetherConnection['runTogether']) {
  if (statement.runs.length === 0) return [];
  const write = nameRawWrite(statement.sql);
  if (write !== undefined) crash.pass(`before ${write}`);
  else if (crash.isDead()) throw new ProcessDied(crash.diedAt());
  const [rows = []] = await run([statement]);
  if (write !== undefined) crash.pass(`after ${write}`);
  return rows;
}

function crashAtWrites(crash: CrashSwitch): KyselyPlugin {
  const writes = new WeakMap<QueryId, string>();
  return {
    transformQuery: ({ node, queryId }) => {
      const write = nameWrite(node);
      if (write !== undefined) {
        writes.set(queryId, write);
        crash.pass(`before ${write}`);
      } else if (crash.isDead()) throw new ProcessDied(crash.diedAt());
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      const write = writes.get(queryId);
      if (write !== undefined) crash.pass(`after ${write}`);
      return result;
    },
  };
}

function nameWrite(node: RootOperationNode): string | undefined {
  switch (node.kind) {
    case 'InsertQueryNode':
      return `an insert into ${node.into?.table.identifier.name}`;
    case 'UpdateQueryNode':
      return 'an update';
    case 'DeleteQueryNode':
      return 'a delete';
    case 'SelectQueryNode':
      return undefined;
    case 'RawNode':
      return nameRawWrite(node.sqlFragments.join(' '));
    default:
      throw new Error(`The simulation does not know whether ${node.kind} writes.`);
  }
}

/** Of a statement that is written out, or compiled before. */
function nameRawWrite(statement: string): string | undefined {
  const [, verb = '', table] =
    /^\s*(select|notify|insert into|update|delete from)\b(?: "?(\w+))?/i.exec(statement) ?? [];
  switch (verb.toLowerCase()) {
    // A read, or a word to other processes at a server.
    case 'select':
    case 'notify':
      return undefined;
    case 'insert into':
      return `an insert into ${table}`;
    case 'update':
      return 'an update';
    case 'delete from':
      return 'a delete';
    default:
      throw new Error(`The simulation does not know whether this writes: ${statement}`);
  }
}
