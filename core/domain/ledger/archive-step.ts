/** One step of archiving the ledger. */
export type ArchiveStep = {
  /** How many of the rows that the caller has stored were deleted; those of an earlier step that is repeated are gone already. */
  readonly deleted: number;
  /** The next rows, to be stored: JSON, one a line. */
  readonly rows: string;
  /** Where the step after this one begins. */
  readonly after: string;
  /** Nothing comes after these rows. */
  readonly isLast: boolean;
};
