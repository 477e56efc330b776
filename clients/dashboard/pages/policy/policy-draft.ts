/**
 * A policy while it is edited. Any field may be unfinished, such as a limit without an amount, and there may be fields that only
 * the service knows.
 */
export type PolicyDraft = Readonly<Record<string, unknown>>;
