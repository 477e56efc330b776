import { liveColumns, newColumns, writeLive, writeNew } from '../../store/hold-fields.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows, updateRows } from '../../store/statements/row-statements.ts';
import type { DraftHold } from './draft-hold.ts';
import type { KnownTerms } from './live-holds.ts';

const holdKey = { hold_id: 'number' } as const;
const insert = insertRows('holds', { ...holdKey, ...newColumns });
const change = updateRows('holds', liveColumns, holdKey);

/** A statement that writes holds that are not stored yet. */
export function insertHolds(fresh: readonly DraftHold[]): Statement<unknown> {
  return insert(fresh.map((draft) => Object.assign(writeNew(draft), { hold_id: draft.holdId })));
}

/** A statement that writes the changes of stored holds. */
export function changeHolds(joined: readonly DraftHold[]): Statement<unknown> {
  return change(joined.map((draft) => Object.assign(writeLive(draft), { hold_id: draft.holdId })));
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
        hold_id: hold.holdId,
        valid_until: validUntil,
        terms,
        token: tokens?.token ?? null,
        token_most: tokens?.most.toString() ?? null,
      })),
  );
}
