import { sql } from 'kysely';

/** Only entries that move money and do not belong to an operation, which are few. Their index has exactly this condition. */
export const movesOtherMoney = sql<boolean>`entries.kind IN ('deposit', 'withdrawal', 'credit', 'debit')`;

/** Whether an entry of a kind adds to its tank. */
export const addsMoney = { deposit: true, credit: true, withdrawal: false, debit: false } as const;
