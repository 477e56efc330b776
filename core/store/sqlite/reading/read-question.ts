/** Which database the next questions are about. */
export type ReadBeginning = { readonly file: string };

/** A statement for the reading thread. */
export type ReadQuestion = { readonly sql: string; readonly parameters: readonly unknown[] };

/** Its result: rows, or SQLite's error. */
export type ReadAnswer = { readonly rows: readonly unknown[] } | { readonly message: string; readonly code: string };
