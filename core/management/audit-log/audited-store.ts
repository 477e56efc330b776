import { isDeepStrictEqual } from 'node:util';
import { coreOperations, type DescribedName } from '@tollfree/contract/core-operations';
import { operationList } from '@tollfree/contract/operations';
import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import {
  type Actor,
  carryOut,
  currentActor,
  currentOperation,
  type OperationUnderWay,
  refuseMissingScope,
  scopes,
} from '../../domain/access/actor.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { refuse } from '../../domain/result/result.ts';
import type { Database } from '../../store/database.ts';
import { ReadStoppedError } from '../../store/read-turns.ts';
import type { Store } from '../../store/store.ts';
import { readCurrentRights } from '../accounts/current-rights.ts';
import { type Facts, type Objects, stateText } from './facts.ts';
import { auditOf, idIn, type OperationAudit } from './operation-audits.ts';
import { refuseStale } from './refuse-stale.ts';

type Operation = (...input: readonly unknown[]) => Promise<unknown>;

/** The operations with a route: what accounts ask for. */
const routed: ReadonlySet<string> = new Set(
  operationList.flatMap((operation) => ('calls' in operation ? [] : [operation.name])),
);

/**
 * Operations, each announced to the {@link auditedStore} while it runs. Refused if the author may not make the
 * change, and if reading was given up.
 */
export function recordOperations<Operations extends object>(operations: Operations): Operations {
  const recorded = Object.entries(operations as Readonly<Record<string, Operation>>).map(([name, perform]) => {
    return [name, routed.has(name) || auditOf(name) !== undefined ? recordOne(name, perform) : perform];
  });
  // Each name has an operation with the same input and result.
  return Object.fromEntries(recorded) as Operations;
}

function recordOne(name: string, perform: Operation): Operation {
  return async (...input) => {
    try {
      return await carryOut({ name, input: input[0] }, () => perform(...input));
    } catch (cause) {
      if (cause instanceof RefusedChangeError) return { ok: false, refusal: cause.refusal };
      if (cause instanceof ReadStoppedError) return readStopped(cause);
      throw cause;
    }
  };
}

function readStopped({ why }: ReadStoppedError) {
  if (why === 'crowded') return refuse({ reason: 'TOO_MANY_REQUESTS', message: 'Too many requests' });
  return refuse({ reason: 'READING_TOO_LONG', message: 'The service cannot read this in time. Ask for less of it' });
}

const unauthenticated = refuse({ reason: 'UNAUTHENTICATED', message: 'Auth token is required in the headers' });

/**
 * Throws in the transaction of a change unless its author may make it now: the authToken or session may have ended or lost
 * scopes since it was checked. A credential of an account can neither perform operator-only changes nor change another
 * account.
 */
async function checkCurrentRights(
  trx: Transaction<Database>,
  { needs, alsoNeeds }: Pick<OperationAudit, 'needs' | 'alsoNeeds'>,
  by: {
    readonly actor: Actor | undefined;
    readonly accountId: string | undefined;
    readonly now: number;
    readonly input: never;
  },
): Promise<void> {
  const { actor, accountId, now, input } = by;
  if (needs === 'anyone' || actor === undefined || actor.kind === 'operator' || actor.kind === 'peer') return;
  const currentRights = await readCurrentRights(trx, actor, now);
  const isElsewhere = accountId !== undefined && accountId !== actor.accountId;
  if (currentRights === undefined || isElsewhere || needs === 'operator')
    throw new RefusedChangeError(unauthenticated.refusal);
  if (needs === 'any member') return;
  const needed = [...(needs.length === 0 ? scopes : needs), ...((await alsoNeeds?.(trx, input)) ?? [])];
  const missing = refuseMissingScope(needed, currentRights.scopes);
  if (missing !== undefined) throw new RefusedChangeError(missing.refusal);
}

/**
 * A store whose transactions record an operation's changes in the audit log, in the same transaction, and fail if the author
 * may not make them, or made them for another version of the object. Without a difference nothing is recorded.
 */
export function auditedStore(store: Store, clock: Clock): Store {
  return {
    ...store,
    db: store.reading,
    transaction: (work) => {
      const operation = currentOperation();
      const audit = operation && auditOf(operation.name);
      if (operation === undefined || audit === undefined) return store.transaction(work);
      return store.transaction(async (trx) => {
        const now = unixSeconds(clock);
        const input = operation.input as never;
        const accountId = idIn(operation.input, 'accountId');
        await checkCurrentRights(trx, audit, { actor: currentActor(), accountId, now, input });
        const before = await audit.look(trx, input);
        const stale = await refuseStale(trx, { changes: audit.changes, input }, before);
        if (stale !== undefined) throw new RefusedChangeError(stale);
        const answer = await work(trx);
        const after = await audit.look(trx, input, answer);
        await writeEntry(trx, operation, { ...findDifferences(before, after), seen: { ...before, ...after }, now });
        const elsewhere = audit.elsewhere?.(answer);
        if (elsewhere !== undefined) {
          const { accountId, after: there } = elsewhere;
          await writeEntry(trx, { ...operation, input: { accountId } }, { before: {}, after: there, seen: there, now });
        }
        return answer;
      });
    },
  };
}

async function writeEntry(
  trx: Transaction<Database>,
  { name, input }: OperationUnderWay,
  { before, after, seen, now }: Record<'before' | 'after' | 'seen', Objects> & { readonly now: number },
): Promise<void> {
  const objects = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (objects.length === 0) return;
  const actor = currentActor();
  const facts = objects.map((object) => seen[object] ?? {});
  const reported = (column: string, inInput: string) =>
    idIn(input, inInput) ?? facts.map((one) => one[column]).find((id) => typeof id === 'string');
  const paymasterId = reported('paymaster_id', 'paymasterId') as string | undefined;
  const accountId = reported('account_id', 'accountId') as string | undefined;
  await trx
    .insertInto('audit_log')
    .values({
      changed_at: now,
      account_id: accountId ?? (await ownerOf(trx, paymasterId)) ?? actor?.accountId ?? null,
      paymaster_id: paymasterId ?? null,
      operation: recordedAs(name),
      actor_kind: actor?.kind ?? 'service',
      credential_id: actor?.credentialId ?? null,
      wallet: actor?.wallet ?? null,
      address: actor?.address ?? null,
      client: actor?.client ?? null,
      objects: ` ${objects.map((object) => object.slice(object.indexOf(' ') + 1)).join(' ')} `,
      state_before: stateText(before),
      state_after: stateText(after),
    })
    .execute();
}

/** The log keeps former names of operations. */
function recordedAs(name: string): string {
  return coreOperations[name as DescribedName].recordedAs;
}

async function ownerOf(trx: Transaction<Database>, paymasterId: string | undefined): Promise<string | undefined> {
  if (paymasterId === undefined) return undefined;
  const row = await trx
    .selectFrom('paymasters')
    .select('account_id')
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirst();
  return row?.account_id;
}

/** The differences between two snapshots: whole objects that were added or removed, and the changed fields of others. */
function findDifferences(before: Objects, after: Objects): { readonly before: Objects; readonly after: Objects } {
  const was: Record<string, Facts> = {};
  const is: Record<string, Facts> = {};
  for (const object of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[object], after[object]];
    const fields = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
    const changed = [...fields].filter((field) => !isDeepStrictEqual(old?.[field], now?.[field]));
    if (changed.length === 0) continue;
    if (old !== undefined) was[object] = pick(old, changed);
    if (now !== undefined) is[object] = pick(now, changed);
  }
  return { before: was, after: is };
}

function pick(facts: Facts, fields: readonly string[]): Facts {
  return Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, facts[field]]));
}

/** Rolls back the transaction of a change that its author may not, or no longer, make. */
class RefusedChangeError extends Error {
  override readonly name = 'RefusedChangeError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
