/** What commander parsed, by option name. */
export type Flags = Readonly<Record<string, unknown>>;
