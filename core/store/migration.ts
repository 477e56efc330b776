/** A step of the schema. `version` counts up from 1; a step that has been released never changes. */
export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** What programs from before it would write next to it were wrong: on a server that several are at, they write no more. */
  readonly endsOlderWriters?: true;
};
