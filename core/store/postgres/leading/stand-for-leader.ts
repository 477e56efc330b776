import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../../../domain/logger.ts';
import { NotLeadingError } from '../../leading/not-leading-error.ts';
import type { Leadership } from '../../store.ts';
import { beginSerialised, tryToOwn } from '../serialise.ts';
import { leadingLimits } from './leading-limits.ts';

/** A process that leads as soon as no other one does, until it is closed. */
export type Candidate = Omit<Leadership, 'leader'> & {
  /** Resolves after the first attempt to lead. */
  readonly tried: Promise<void>;
  /** Lets another one lead at once. */
  close(): Promise<void>;
};

/**
 * Who has the lock of a session of its own leads. The database counts those who have led, under the lock of the
 * writers: one whose session was ended without its knowledge finds another number before it writes, and stops leading.
 * `connect` opens a session; `name` tells people which process this is.
 */
export function standForLeader(
  connect: () => Promise<pg.Client>,
  { name, logger }: { readonly name: string; readonly logger: Logger },
): Candidate {
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  let session: pg.Client | undefined;
  let generation: number | undefined;
  let isBroken = false;
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

  /** Until the session breaks. */
  async function stand(client: pg.Client): Promise<void> {
    while (!closing.signal.aborted) {
      if (generation !== undefined) await client.query('SELECT 1');
      else if (await tryToOwn(client)) lead(await beginGeneration(client, name));
      isBroken = false;
      noteTry();
      await rest(generation === undefined ? leadingLimits.betweenAttempts : leadingLimits.betweenWords);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
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
      await rest(leadingLimits.betweenAttempts);
    }
  }

  const rest = (ms: number) => pause(ms, undefined, { signal: closing.signal }).catch(() => {});
  const running = run();
  return {
    tried,
    isShared: true,
    leads: () => generation !== undefined,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    check: async (trx) => {
      const { rows } = await sql<{ generation: number }>`SELECT generation FROM database_owner`.execute(trx);
      if (generation !== undefined && rows[0]?.generation === generation) return;
      // The session is over, though no one has said so.
      if (generation !== undefined) void session?.end().catch(() => {});
      lead(undefined);
      throw new NotLeadingError();
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

/** Notes that another one leads from here on: those before it write nothing any more. */
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
