import { CliError, exitMistake, mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { findConfigFile } from '../config/load-config.ts';

/** Reads a service's configuration. If it is invalid, reports all mistakes instead of only the first. */
export async function namingMistakes<T>(flags: Flags, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== exitMistake) throw error;
    if (findConfigFile(flags) === undefined) throw error;
    // Only loaded when needed: a valid configuration starts without it.
    const [{ findMistakes }, { countMistakes, describeMistakes }] = await Promise.all([
      import('./find-mistakes.ts'),
      import('./show-mistakes.ts'),
    ]);
    const mistakes = await findMistakes(flags);
    if (mistakes.length < 2) throw error;
    throw mistake(`The configuration has ${countMistakes(mistakes)}.\n${describeMistakes(mistakes)}`, error);
  }
}
