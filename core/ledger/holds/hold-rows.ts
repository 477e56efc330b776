import type { Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows, updateRows } from '../../store/statements/row-statements.ts';
import type { DraftHold } from './draft-hold.ts';
import { joinedColumns, writeJoined } from './hold-fields.ts';
import { operationKeyOf } from './hold-request.ts';
import type { KnownTerms } from './live-holds.ts';

const insert = insertRows(
  'holds',
  {
    tank_id: 'number',
    operation_key: 'text',
    sender: 'text',
    nonce: 'text',
    state: 'text',
    paymaster_id: 'text',
    policy_id: 'text',
    created_at: 'number',
    key_number: 'number',
    deploys: 'number',
    ...joinedColumns,
  },
  { returning: ['hold_id', 'tank_id', 'paymaster_id', 'policy_id', 'operation_key'] },
);
const change = updateRows('holds', joinedColumns, { hold_id: 'number' });
const noteDeployment = updateRows('holds', { deploys: 'number' }, { hold_id: 'number' });

/** A statement that writes holds that are not stored yet, and returns the identity and id of each. */
export function insertHolds(fresh: readonly DraftHold[]): ReturnType<typeof insert> {
  return insert(
    fresh.map((draft) => ({
      tank_id: draft.tankId,
      operation_key: operationKeyOf(draft.request),
      sender: draft.request.sender,
      nonce: draft.request.nonce.toString(),
      state: 'live' as const,
      paymaster_id: draft.paymasterId,
      policy_id: draft.policyId,
      created_at: draft.createdAt,
      key_number: draft.keyNumber,
      deploys: draft.deploys ? 1 : 0,
      ...writeJoined(draft),
    })),
  );
}

/**
 * Statements that write the changes of stored holds. Joining a hold can make it one of a deployment, and never undoes that.
 */
export function changeHolds(joined: readonly DraftHold[]): readonly [Statement<unknown>, Statement<unknown>] {
  const deploying = joined.filter(({ deploys }) => deploys);
  return [
    change(joined.map((draft) => ({ ...writeJoined(draft), hold_id: writtenId(draft) }))),
    noteDeployment(deploying.map((draft) => ({ deploys: 1, hold_id: writtenId(draft) }))),
  ];
}

/** The id of a hold that has been written. */
export function writtenId({ holdId }: DraftHold): number {
  if (holdId === undefined) throw new Error('A hold was decided and not written.');
  return holdId;
}

/** Writes signed terms by their holds and request keys. */
export const keepTerms = insertRows(
  'signed_terms',
  { request_key: 'text', hold_id: 'number', valid_until: 'number', terms: 'text', token: 'text', token_most: 'text' },
  { onConflict: `(hold_id, request_key) DO UPDATE SET ${replaced(['valid_until', 'terms', 'token', 'token_most'])}` },
);

function replaced(columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ');
}

/** A statement that writes signed terms by their request keys. */
export function termsWrites(knownTerms: ReadonlyMap<string, KnownTerms>): Statement<unknown> {
  return keepTerms(
    [...knownTerms]
      .filter(([, { fresh }]) => fresh)
      .map(([request_key, { hold, validUntil, terms, tokens }]) => ({
        request_key,
        hold_id: writtenId(hold),
        valid_until: validUntil,
        terms,
        token: tokens?.token ?? null,
        token_most: tokens?.most.toString() ?? null,
      })),
  );
}
