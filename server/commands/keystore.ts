import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { askNewPassword } from '../../clients/cli/terminal/ask-password.ts';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { makeKeystore } from '../keys/make-keystore.ts';

/** `tollfree keystore create`: a new signing key, encrypted (V3, scrypt). Never overwrites a file; prints the address. */
export async function createKeystore(flags: Flags): Promise<void> {
  if (typeof flags.out !== 'string') throw mistake('Name the file to write the keystore to: --out <file>.');
  const out = resolve(flags.out);
  const password =
    typeof flags.passwordFile === 'string'
      ? readPassword(resolve(flags.passwordFile))
      : await askNewPassword(
          'Password for the new keystore',
          'The keystore needs a password: use --password-file, or start at a terminal.',
        );
  const { address, text } = await withProgress('Encrypting the key', () => makeKeystore(new Secret(password)));
  try {
    writeFileSync(out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw mistake(`The keystore cannot be written to ${out}. An existing file is never overwritten.`, error);
  }
  printAnswer(flags, { address, file: out }, () => printLine(address));
}
