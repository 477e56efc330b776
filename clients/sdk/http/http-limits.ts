/** Longest answer that is read, in bytes. A list of 1,000 contracts with their ABIs may take several megabytes. */
export const maxAnswerBytes = 64 * 1024 * 1024;

/** Default time limit for a whole answer, in milliseconds. */
export const defaultTimeoutMs = 30_000;
