import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../../base/logger.ts';
import { NotLeadingError } from '../leading.ts';
import { newestVersion } from '../migrations/history.ts';
import type { Leadership } from '../store.ts';
import { beginSerialised, disown, tryToOwn } from './serialise.ts';

/** Time limits of leader election, in milliseconds. */
export const leadingLimits = {
  /** Interval of the leader's messages to the server. */
  betweenWords: 1_000,
  /**
   * Silence after which the server ends the leader's session, and with it the lock: a stopped or disconnected process sends
   * nothing.
   */
  maxSilence: 5_000,
  /** Between two attempts to become the leader, and before a broken session is opened again. */
  betweenAttempts: 500,
  /** Time limit of a statement in the session, which may have to wait for the writers. */
  statement: 5_000,
} as const;

/** A process that becomes the leader as soon as there is no other, until it is closed. */
export type Candidate = Omit<Leadership, 'leader'> & {
  /** Resolves after the first attempt to lead. */
  readonly tried: Promise<void>;
  /** Makes the candidate check at once with the database whether it may still lead. */
  lookNow(): void;
  /** Lets another process lead at once. */
  close(): Promise<void>;
};

type CandidateParts = {
  readonly name: string;
  readonly logger: Logger;
  /** Called about twice a second with the time since when the database is known to lack data (see `Store.lostAt`). */
  readonly onLook: (seen: { readonly lostAt: number | undefined }) => void;
};

/**
 * The holder of a session lock leads. The database numbers the leaders under the lock of the writers: a leader whose session
 * ended unnoticed finds another number before it writes, and stops leading. A process that may no longer write, because a
 * newer version changed the format, yields at once. `connect` opens a session; `name` identifies this process to people.
 */
export function standForLeader(connect: () => Promise<pg.Client>, { name, logger, onLook }: CandidateParts): Candidate {
  const rests = createRests();
  const listeners = new Set<() => void>();
  let session: pg.Client | undefined;
  let generation: number | undefined;
  let isBroken = false;
  let isOutdated = false;
  let noteTry = () => {};
  const tried = new Promise<void>((resolve) => {
    noteTry = resolve;
  });

  function lead(next: number | undefined): void {
    const led = generation !== undefined;
    generation = next;
    if (led === (next !== undefined)) return;
    logger.info({ name }, led ? 'This process no longer keeps the ledger' : 'This process keeps the ledger');
    for (const listener of listeners) listener();
  }

  /** Leads until the session breaks. */
  async function stand(client: pg.Client): Promise<void> {
    while (!rests.ended()) {
      const { oldestWriter, lostAt } = await look(client);
      onLook({ lostAt });
      if (oldestWriter <= newestVersion) {
        if (generation === undefined && (await tryToOwn(client))) lead(await beginGeneration(client, name));
      } else {
        noteOutdated();
        if (generation !== undefined) await disown(client);
        lead(undefined);
      }
      isBroken = false;
      noteTry();
      await rests.rest(generation === undefined ? leadingLimits.betweenAttempts : leadingLimits.betweenWords);
    }
  }

  function noteOutdated(): void {
    if (!isOutdated)
      logger.warn({ name }, 'A newer version has changed the database. This process no longer leads: upgrade it');
    isOutdated = true;
  }

  async function run(): Promise<void> {
    while (!rests.ended()) {
      try {
        session = await connect();
        await stand(session);
      } catch (cause) {
        if (!isBroken) logger.warn({ err: cause }, 'The database session for leader election broke; opening a new one');
        isBroken = true;
      }
      lead(undefined);
      noteTry();
      // Without waiting: the other side may not answer any more.
      session?.end().catch(() => {});
      session = undefined;
      await rests.rest(leadingLimits.betweenAttempts);
    }
  }

  const running = run();
  return {
    tried,
    isShared: true,
    leads: () => generation !== undefined,
    lookNow: rests.cutShort,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    check: async (trx) => {
      const { rows } = await sql<{ generation: number }>`SELECT generation FROM database_owner`.execute(trx);
      if (generation !== undefined && rows[0]?.generation === generation) return;
      // The session has ended without an event.
      if (generation !== undefined) void session?.end().catch(() => {});
      lead(undefined);
      throw new NotLeadingError();
    },
    close: async () => {
      rests.end();
      await running;
    },
  };
}

/** Pauses between questions: the current one can be cut short, and all can be ended permanently. */
function createRests() {
  const closing = new AbortController();
  let resting = new AbortController();
  return {
    ended: () => closing.signal.aborted,
    async rest(ms: number): Promise<void> {
      resting = new AbortController();
      await pause(ms, undefined, { signal: AbortSignal.any([closing.signal, resting.signal]) }).catch(() => {});
    },
    cutShort: () => resting.abort(),
    end: () => closing.abort(),
  };
}

/** Reads which schema version writers need, and since when data is missing. Keeps the session alive. */
async function look(client: pg.Client): Promise<{ oldestWriter: number; lostAt: number | undefined }> {
  const { rows } = await client.query<{ oldest_writer: number | null; lost_at: number | null }>(
    'SELECT oldest_writer, lost_at FROM database_owner',
  );
  return { oldestWriter: rows[0]?.oldest_writer ?? 0, lostAt: rows[0]?.lost_at ?? undefined };
}

/** Records a new leader: earlier ones can no longer write. */
async function beginGeneration(client: pg.Client, name: string): Promise<number> {
  await client.query(beginSerialised);
  const { rows } = await client.query<{ generation: number }>(
    'UPDATE database_owner SET generation = generation + 1, name = $1 RETURNING generation',
    [name],
  );
  await client.query('COMMIT');
  const [row] = rows;
  if (row === undefined) throw new Error('The database has no leader count');
  return row.generation;
}
