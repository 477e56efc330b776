/** A statement for the reading thread. */
export type ReadQuestion = { readonly sql: string; readonly parameters: readonly unknown[] };

/** What came of it: rows, or what SQLite said. */
export type ReadAnswer = { readonly rows: readonly unknown[] } | { readonly message: string; readonly code: string };
