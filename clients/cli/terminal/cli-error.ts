/** What a command ends with, and what that means. Programs depend on it: a code never changes its meaning. */
export const exitCodes = {
  ok: { code: 0, meaning: 'ok' },
  mistake: { code: 1, meaning: 'a mistake, or something is wrong' },
  review: {
    code: 2,
    meaning: 'nothing is wrong, but there is something to review: warnings of `doctor`, changes of `policy diff`',
  },
  tryAgain: { code: 75, meaning: 'may work later, such as a node or a service that is down' },
} as const;

/** Exit code for a mistake of the person who started the program. */
export const exitMistake = exitCodes.mistake.code;
/** Exit code for something outside that may work later (`EX_TEMPFAIL`): a node that is down, a port that is taken. */
export const exitTryAgain = exitCodes.tryAgain.code;

/** Ends the program with one sentence and an exit code. The message is for a person and holds no secret. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: { cause: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Something the person has to put right: a wrong flag, a bad config file. */
export function mistake(message: string, cause?: unknown): CliError {
  return new CliError(message, exitMistake, { cause });
}

/** Something that may go away by itself: the same command can be tried again. */
export function tryAgain(message: string, cause?: unknown): CliError {
  return new CliError(message, exitTryAgain, { cause });
}
