import type { Transaction } from 'kysely';
import type { Actor } from '../../domain/access/actor.ts';
import { refuseMissingScope, scopes } from '../../domain/access/scope.ts';
import { refuse } from '../../domain/result/result.ts';
import type { Database } from '../../store/database.ts';
import { readStanding } from '../accounts/standing.ts';
import { NotStandingError } from './not-standing-error.ts';
import type { OperationAudit } from './operation-audits.ts';

const unauthenticated = refuse({ reason: 'UNAUTHENTICATED', message: 'Auth token is required in the headers' });

/**
 * Throws in the transaction of a change unless its author may make it now: the authToken or session may have ended, or may
 * less, since it was looked at. No credential of an account does what is the operator's, or what is another account's.
 */
export async function checkStanding(
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
  const standing = await readStanding(trx, actor, now);
  const isElsewhere = accountId !== undefined && accountId !== actor.accountId;
  if (standing === undefined || isElsewhere || needs === 'operator')
    throw new NotStandingError(unauthenticated.refusal);
  if (needs === 'any member') return;
  const needed = [...(needs.length === 0 ? scopes : needs), ...((await alsoNeeds?.(trx, input)) ?? [])];
  const missing = refuseMissingScope(needed, standing.scopes);
  if (missing !== undefined) throw new NotStandingError(missing.refusal);
}
