/** Longest answer that is read, in bytes. A list of 1,000 contracts with their ABIs may take several megabytes. */
export const maxAnswerBytes = 64 * 1024 * 1024;

/** Longest wait for a whole answer, in milliseconds, unless the caller sets another. */
export const defaultTimeoutMs = 30_000;
