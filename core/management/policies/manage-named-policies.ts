import {
  maxNamedPolicies,
  maxNameLength,
  maxPolicyDescription,
  maxPolicyIcon,
  policyIconForm,
  unprintable,
} from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Selectable, sql, type Transaction } from 'kysely';
import { unixSeconds } from '../../base/time/clock.ts';
import { inOwnTurn } from '../../base/time/in-own-turn.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core, Input } from '../../domain/core.ts';
import { type NamedPolicy, type NamedPolicyPage, newPolicyId, type PolicyHead } from '../../domain/named-policy.ts';
import type { Policy } from '../../domain/policy.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { endOtherLimits, ownerOfPolicy } from '../../ledger/accounts/limit-numbers.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import { parsePolicy, policyText } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { namedPolicyFacts } from '../audit-log/row-facts.ts';
import { fillPage } from '../fill-page.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import { type CheckedPolicy, checkProposed, hasNamedPolicy, policyNotFound, refuseOutdated } from './check-proposed.ts';
import { createTurns, type PolicyParts, putPolicy } from './put-policy.ts';

type Proposed = { readonly head: PolicyHead; readonly policy: Policy };
type Checked = Proposed & Pick<CheckedPolicy, 'registered'> & { readonly columns: ReturnType<typeof columnsOf> };

const nameExists = refuse({ reason: 'POLICY_NAME_EXISTS', message: 'Policy name already exists' });

/** The operations of `Core` on named policies. Changes apply from the next request on. */
export function manageNamedPolicies(
  parts: PolicyParts,
): Pick<Core, 'createPolicy' | 'listPolicies' | 'readNamedPolicy' | 'replacePolicy' | 'deletePolicy'> {
  const inTurn = createTurns();
  return {
    createPolicy: (input) => createPolicy(parts, input),
    listPolicies: (input) => listPolicies(parts, input),
    readNamedPolicy: (input) => readNamedPolicy(parts, input),
    // Counting takes time: of two policies, the one set later must stay.
    replacePolicy: (input) => inTurn(input.policyId, () => replacePolicy(parts, input)),
    deletePolicy: (input) => inTurn(input.policyId, () => deletePolicy(parts, input)),
  };
}

/** A head and a policy in stored form. */
async function check(parts: PolicyParts, owned: Owned, { head, policy }: Proposed): Promise<Result<Checked>> {
  const named = checkPolicyHead(head);
  if (!named.ok) return named;
  const proposed = await checkProposed(parts, owned, policy);
  if (!proposed.ok) return proposed;
  const { policy: fitting, registered } = proposed.value;
  const checked = { head: named.value, policy: fitting, registered };
  return accept({ ...checked, columns: await inOwnTurn(owned.accountId, () => columnsOf(checked)) });
}

async function createPolicy(parts: PolicyParts, input: Input<'createPolicy'>): Promise<Result<NamedPolicy>> {
  const checked = await check(parts, input, input);
  if (!checked.ok) return checked;
  const reference = { paymasterId: input.paymasterId, policyId: newPolicyId() };
  const now = unixSeconds(parts.clock);
  // A new id has no counts yet.
  return changeOwnPaymaster(parts, input, async (trx) => {
    const others = await trx
      .selectFrom('named_policies')
      .select('policy_id')
      .where('paymaster_id', '=', reference.paymasterId)
      .execute();
    if (others.length >= maxNamedPolicies) return tooMany();
    if (await isNameTaken(trx, reference, checked.value.head.name)) return nameExists;
    const outdated = await refuseOutdated(trx, input, checked.value);
    if (outdated !== undefined) return outdated;
    const row = await trx
      .insertInto('named_policies')
      .values({
        policy_id: reference.policyId,
        paymaster_id: reference.paymasterId,
        ...checked.value.columns,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return accept(toNamedPolicy(row));
  });
}

async function listPolicies(
  { store: { db } }: PolicyParts,
  { cursor, ...owned }: Input<'listPolicies'>,
): Promise<Result<NamedPolicyPage>> {
  if (!(await ownsPaymaster(db, owned))) return paymasterNotFound;
  const rows = await db
    .selectFrom('named_policies')
    .select(['policy_id', 'name', sql<number>`length(policy) + coalesce(length(icon), 0)`.as('bytes')])
    .where('paymaster_id', '=', ownPaymasterId(db, owned))
    .$if(cursor !== undefined, (query) => query.where('name', '>', cursor ?? ''))
    .orderBy('name')
    .execute();
  const { page, next } = fillPage(rows);
  const policies: NamedPolicy[] = [];
  for (const { policy_id } of page) {
    const row = await db.selectFrom('named_policies').selectAll().where('policy_id', '=', policy_id).executeTakeFirst();
    // It may have been deleted meanwhile.
    if (row !== undefined) policies.push(await inOwnTurn(owned.accountId, () => toNamedPolicy(row)));
  }
  return accept({ policies, ...omitAbsent({ nextCursor: next?.name }) });
}

async function readNamedPolicy(
  { store }: PolicyParts,
  { policyId, ...owned }: Input<'readNamedPolicy'>,
): Promise<Result<NamedPolicy>> {
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  const row = await store.db
    .selectFrom('named_policies')
    .selectAll()
    .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
    .where('policy_id', '=', policyId)
    .executeTakeFirst();
  return row === undefined ? policyNotFound : accept(toNamedPolicy(row));
}

async function replacePolicy(parts: PolicyParts, input: Input<'replacePolicy'>): Promise<Result<NamedPolicy>> {
  const checked = await check(parts, input, input);
  if (!checked.ok) return checked;
  const { paymasterId, policyId } = input;
  const reference = { paymasterId, policyId };
  if (!(await hasNamedPolicy(parts.store.db, reference))) return policyNotFound;
  const { head, policy, columns } = checked.value;
  return putPolicy(parts, input, { policyId, policy }, async (trx) => {
    if (await isNameTaken(trx, reference, head.name)) return nameExists;
    const outdated = await refuseOutdated(trx, input, checked.value);
    if (outdated !== undefined) return outdated;
    const row = await trx
      .updateTable('named_policies')
      .set({ ...columns, updated_at: unixSeconds(parts.clock) })
      .where('paymaster_id', '=', paymasterId)
      .where('policy_id', '=', policyId)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? policyNotFound : accept(toNamedPolicy(row));
  });
}

/** What its limits have counted goes with it. */
async function deletePolicy(
  parts: PolicyParts,
  { policyId, ...owned }: Input<'deletePolicy'>,
): Promise<Result<NamedPolicy>> {
  return changeOwnPaymaster(parts, owned, async (trx) => {
    const row = await trx
      .deleteFrom('named_policies')
      .where('paymaster_id', '=', owned.paymasterId)
      .where('policy_id', '=', policyId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return policyNotFound;
    await endOtherLimits(trx, ownerOfPolicy({ paymasterId: owned.paymasterId, policyId }));
    return accept(toNamedPolicy(row));
  });
}

async function isNameTaken(trx: Transaction<Database>, reference: PolicyKey, name: string): Promise<boolean> {
  const other = await trx
    .selectFrom('named_policies')
    .select('policy_id')
    .where('paymaster_id', '=', reference.paymasterId)
    .where('name', '=', name)
    .where('policy_id', '<>', reference.policyId)
    .executeTakeFirst();
  return other !== undefined;
}

function columnsOf({ head: { name, description, author, icon, enabled }, policy }: Proposed) {
  return {
    name,
    description: description ?? null,
    author: author ?? null,
    icon: icon ?? null,
    enabled: enabled ? 1 : 0,
    policy: policyText(policy),
  } as const;
}

function toNamedPolicy(row: Selectable<Database['named_policies']>): NamedPolicy {
  return {
    policyId: row.policy_id,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.author === null ? {} : { author: row.author }),
    ...(row.icon === null ? {} : { icon: row.icon }),
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    policy: parsePolicy(row.policy, row.policy_id),
    etag: etagOf('policy', namedPolicyFacts(row)),
  };
}

function tooMany(): Result<never> {
  return refuse({
    reason: 'TOO_MANY_POLICIES',
    message: `A paymaster can have at most ${maxNamedPolicies} named policies`,
  });
}

/** The head of a named policy; `INVALID_FIELD` for text that must not be shown to users. */
function checkPolicyHead(head: PolicyHead): Result<PolicyHead> {
  const { name, description, author, icon, enabled } = head;
  const named = checkName(name);
  if (!named.ok) return named;
  if (description !== undefined && (description.length > maxPolicyDescription || unprintable.test(description))) {
    return invalidField('description', `must be a string of at most ${maxPolicyDescription} printable characters`);
  }
  if (author !== undefined && !checkName(author).ok) {
    return invalidField('author', `must be a string of 1 to ${maxNameLength} printable characters`);
  }
  if (icon !== undefined && (icon.length > maxPolicyIcon || !policyIconForm.test(icon))) {
    return invalidField('icon', `must be a data URI of an image with at most ${maxPolicyIcon} characters`);
  }
  return accept({ name, enabled, ...omitAbsent({ description, author, icon }) });
}
