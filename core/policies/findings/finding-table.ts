/** The texts of a finding: what a rule checked and, if it counts something, the allowed and used amounts. */
export type Texts = string | readonly [checked: string, limit?: string | undefined, used?: string | undefined];

/** Texts of findings by name, made of their values. */
export type FindingTable = Readonly<Record<string, string | ((...values: never[]) => Texts)>>;
