import { createFairQueue } from '../base/values/fair-queue.ts';

/** Most readers that wait at once. The reader with the most loses its last one. */
const maxWaiting = 10_000;
/** Most statements that go on, in their own threads, after their time was up. */
const maxLost = 2;

/** Longest turn of an account, in milliseconds. */
export const maxReadMs = 10_000;

/** The owner of what the service and its operator read. */
const theService = '';

/** Who wants to read. */
export type Reader = {
  /** The account. Absent for the service and its operator, whose reading may take longer. */
  readonly accountId?: string | undefined;
  /** Aborted when no one waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
};

/** Why a reading was given up: no one waits for it; it took too long; too much else was waiting. */
type ReadStop = 'gone' | 'late' | 'crowded';

/** A reading was given up. It changed nothing. */
export class ReadStoppedError extends Error {
  override readonly name = 'ReadStoppedError';
  readonly why: ReadStop;

  constructor(why: ReadStop) {
    super(`A reading was given up: ${why}`);
    this.why = why;
  }
}

/** A reader's turn at one of the connections. */
export type ReadTurn = {
  /** The number of the connection, from 0. */
  readonly connection: number;
  /** Whether its time is limited. */
  readonly isLimited: boolean;
  /** Aborted with a {@link ReadStoppedError} when its time is up. */
  readonly late: AbortSignal;
  /** Throws a {@link ReadStoppedError} once nothing more is to be read in this turn. */
  check(): void;
  /** Ends the turn. `lost` settles when a statement ends that goes on in spite of it. */
  end(lost?: Promise<unknown>): void;
};

export type ReadTurns = {
  begin(reader: Reader): Promise<ReadTurn>;
  /** Resolves once no one has a turn or waits for one. */
  over(): Promise<void>;
};

/**
 * Connections for readers, which take turns by account: an account reads with one connection at a time, and one that wants to read
 * much delays another by one turn for each of the other's own. A turn of an account ends after `maxMs`.
 */
export function createReadTurns({
  connections,
  maxMs,
}: {
  readonly connections: number;
  readonly maxMs: number;
}): ReadTurns {
  const waiting = createFairQueue<Waiting>(maxWaiting);
  const free = Array.from({ length: connections }, (_, connection) => connection).reverse();
  /** Owners with a turn, or with a statement that goes on. */
  const reading = new Set<string>();
  let lostCount = 0;
  const onOver: (() => void)[] = [];

  function serve(): void {
    while (free.length > 0) {
      const [next] = waiting.take(1, (owner) => !reading.has(owner));
      if (next === undefined) return;
      if (!next.isWanted()) continue;
      reading.add(next.owner);
      // There is one, by the condition of the loop.
      next.serve(beginTurn(next, free.pop() as number));
    }
  }

  function beginTurn({ owner, reader }: Waiting, connection: number): ReadTurn {
    const isLimited = owner !== theService;
    const late = new AbortController();
    const timer = isLimited ? setTimeout(() => late.abort(new ReadStoppedError('late')), maxMs) : undefined;
    timer?.unref();
    const release = (): void => {
      free.push(connection);
      serve();
      if (free.length === connections) for (const resolve of onOver.splice(0)) resolve();
    };
    return {
      connection,
      isLimited,
      late: late.signal,
      check: () => {
        late.signal.throwIfAborted();
        if (reader.signal?.aborted === true) throw new ReadStoppedError('gone');
      },
      end: (lost) => {
        clearTimeout(timer);
        if (lost === undefined) {
          reading.delete(owner);
          release();
          return;
        }
        const isTooMany = lostCount >= maxLost;
        lostCount += 1;
        void lost.finally(() => {
          lostCount -= 1;
          reading.delete(owner);
          if (isTooMany) release();
          else serve();
        });
        if (!isTooMany) release();
      },
    };
  }

  return {
    begin: (reader) =>
      new Promise((resolve, reject) => {
        if (reader.signal?.aborted === true) {
          reject(new ReadStoppedError('gone'));
          return;
        }
        const entry = createWaiting(reader, resolve, reject);
        waiting.add(entry.owner, entry)?.refuse('crowded');
        serve();
      }),
    over: () => (free.length === connections ? Promise.resolve() : new Promise((resolve) => onOver.push(resolve))),
  };
}

type Waiting = {
  readonly owner: string;
  readonly reader: Reader;
  isWanted(): boolean;
  serve(turn: ReadTurn): void;
  refuse(why: ReadStop): void;
};

function createWaiting(
  reader: Reader,
  resolve: (turn: ReadTurn) => void,
  reject: (cause: ReadStoppedError) => void,
): Waiting {
  const { accountId: owner = theService, signal } = reader;
  let isWanted = true;
  const leave = () => refuse('gone');
  function refuse(why: ReadStop): void {
    isWanted = false;
    signal?.removeEventListener('abort', leave);
    reject(new ReadStoppedError(why));
  }
  signal?.addEventListener('abort', leave, { once: true });
  return {
    owner,
    reader,
    isWanted: () => isWanted,
    serve: (turn) => {
      signal?.removeEventListener('abort', leave);
      resolve(turn);
    },
    refuse,
  };
}
