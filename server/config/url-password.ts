import { mistake } from '../../clients/cli/terminal/cli-error.ts';

/** Refuses the URL of a database in an argument that has a password in it. `instead` says where the password goes. */
export function refuseUrlPassword(url: unknown, flag: string, instead: string): void {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  if (parsed === null || (parsed.password === '' && !parsed.searchParams.has('password'))) return;
  throw mistake(
    `${flag} contains a password, which every user of this machine can read in the process list. ` +
      `Remove it from the URL, and set it ${instead}.`,
  );
}
