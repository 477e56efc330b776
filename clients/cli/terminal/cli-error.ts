/** Exit codes of commands and their meaning. Programs depend on them: a code never changes its meaning. */
export const exitCodes = {
  ok: { code: 0, meaning: 'ok' },
  mistake: { code: 1, meaning: 'something is wrong' },
  review: {
    code: 2,
    meaning: 'something to review: warnings of `doctor`, changes of `policy diff`',
  },
  tryAgain: { code: 75, meaning: 'may work later: a node or the service is down, a full disk' },
} as const;

export const exitMistake = exitCodes.mistake.code;
/** Exit code for an external problem that may go away (`EX_TEMPFAIL`): a node that is down, a taken port. */
export const exitTryAgain = exitCodes.tryAgain.code;

/** Ends the program with one sentence and an exit code. The message is for people and contains no secret. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: { cause: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Something the user must fix: a wrong flag, an invalid configuration. */
export function mistake(message: string, cause?: unknown): CliError {
  return new CliError(message, exitMistake, { cause });
}

/** A temporary problem: the same command can be retried. */
export function tryAgain(message: string, cause?: unknown): CliError {
  return new CliError(message, exitTryAgain, { cause });
}
