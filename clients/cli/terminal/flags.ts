/** Values parsed by commander, by option name. */
export type Flags = Readonly<Record<string, unknown>>;
