import { mistake } from './cli-error.ts';
import type { Flags } from './flags.ts';

/** Asks twice for a password that cannot be recovered, until both answers match. */
export async function askNewPassword(question: string, otherwise: string): Promise<string> {
  for (;;) {
    const password = await askPassword(question, otherwise);
    if (password === (await askPassword('The same password again', otherwise))) return password;
    process.stderr.write('The two passwords differ. Try again.\n');
  }
}

/** Asks for a password at the terminal. Without a terminal, refuses with `otherwise`. */
export async function askPassword(question: string, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw mistake(otherwise);
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({
    message: question,
    output: process.stderr,
    validate: (text) => (text === undefined || text === '' ? 'The password must not be empty.' : undefined),
  });
  if (isCancel(answer)) throw mistake('Cancelled.');
  return answer;
}

/**
 * Whether `--yes` or the user at the terminal confirms. Without a terminal, and with `--json` or `--dry-run`, the default is
 * no.
 */
export async function isConfirmed(flags: Flags, message: string): Promise<boolean> {
  if (flags.dryRun === true) return false;
  if (flags.yes === true) return true;
  if (flags.json === true || process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  const { confirm } = await import('@clack/prompts');
  return (await confirm({ message, initialValue: false, output: process.stderr })) === true;
}
