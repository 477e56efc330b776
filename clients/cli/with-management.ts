import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
import { findManagementTarget, type ManagementTarget } from './management-target.ts';
import { type CliError, mistake } from './terminal/cli-error.ts';
import type { Flags } from './terminal/flags.ts';

/** Works on the management API of the service from the flags. */
export async function withManagement(
  flags: Flags,
  work: (client: ManagementClient, target: ManagementTarget) => Promise<void>,
): Promise<void> {
  const target = findManagementTarget(flags);
  if (target.notice !== undefined) process.stderr.write(`${target.notice}\n`);
  const { baseUrl, authToken, apiKey } = target;
  await work(createManagementClient({ baseUrl, authToken, apiKey }), target);
}

/** {@link withManagement} for a command that requires a paymaster. */
export async function withPaymaster(
  flags: Flags,
  work: (client: ManagementClient, apiKey: string) => Promise<void>,
): Promise<void> {
  await withManagement(flags, async (client, { apiKey }) => {
    if (apiKey === undefined) {
      throw missingApiKey();
    }
    await work(client, apiKey);
  });
}

/** The error for a command that requires a paymaster, when none is named. */
export function missingApiKey(): CliError {
  return mistake(
    'The apiKey of the paymaster is missing: --api-key <key>, or TOLLFREE_API_KEY. `tollfree paymaster list` shows it.',
  );
}
