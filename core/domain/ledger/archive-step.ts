import type { z } from 'zod';
import { count, flag, message, text } from '../../base/message-schema.ts';

/** What a step did, and the rows of the next one. */
export const ArchiveStepSchema = message('ArchiveStep', {
  /**
   * How many of the rows that the caller has stored were deleted; those of an earlier step that is repeated are gone
   * already.
   */
  deleted: count,
  /** The next rows, to be stored: JSON, one a line. */
  rows: text,
  /** Where the step after this one begins. */
  after: text,
  /** Whether nothing comes after these rows. */
  isLast: flag,
});
export type ArchiveStep = z.output<typeof ArchiveStepSchema>;
