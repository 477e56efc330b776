import { mistake } from '../../clients/cli/terminal/cli-error.ts';

/** Refuses a database URL with a password in an argument. `instead` says where the password belongs. */
export function refuseUrlPassword(url: unknown, flag: string, instead: string): void {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  if (parsed === null || (parsed.password === '' && !parsed.searchParams.has('password'))) return;
  throw mistake(
    `${flag} contains a password, which every user of this machine can read in the process list. ` +
      `Remove it from the URL, and set it ${instead}.`,
  );
}
