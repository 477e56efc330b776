import { sql } from 'kysely';

/** Only entries that move money. The index of these has this condition, word for word. */
export const movesMoney = sql<boolean>`entries.kind IN ('deposit', 'withdrawal', 'credit', 'debit', 'settle')`;

/** Only those that are none of an operation's, which are few. The index of these has this condition, word for word. */
export const movesOtherMoney = sql<boolean>`entries.kind IN ('deposit', 'withdrawal', 'credit', 'debit')`;

/** Whether an entry of a kind adds to its tank. */
export const addsMoney = { deposit: true, credit: true, withdrawal: false, debit: false, settle: false } as const;
