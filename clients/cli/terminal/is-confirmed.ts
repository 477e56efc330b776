import type { Flags } from './flags.ts';

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
