import { z } from 'zod';

/** The version of an object: a digest of its settings. */
export const etag = z
  .string()
  .optional()
  .describe(
    'Version of the object. Sent as `If-Match`, a change is refused with 412 if someone else changed the object meanwhile.',
  );

/** `etag` in the body of a change, as an alternative to the header `If-Match`. */
export const etagToMatch = z
  .string({ error: 'etag must be a string' })
  // The characters of an entity tag (RFC 9110, 8.8.3) that are ASCII.
  .regex(/^[!#-~]{1,100}$/, { error: 'etag must be a version that a read has answered' })
  .optional()
  .describe('The version that this replaces, instead of the header `If-Match`.');
