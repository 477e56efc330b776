import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
import { findManagementTarget, type ManagementTarget } from './management-target.ts';
import { type CliError, mistake } from './terminal/cli-error.ts';
import type { Flags } from './terminal/flags.ts';

type OpenManagement = ManagementTarget & { readonly client: ManagementClient };

/** The management API of the service from the flags. */
export function openManagement(flags: Flags): OpenManagement {
  const target = findManagementTarget(flags);
  if (target.notice !== undefined) process.stderr.write(`${target.notice}\n`);
  const { baseUrl, authToken, apiKey } = target;
  return { ...target, client: createManagementClient({ baseUrl, authToken, apiKey }) };
}

/** {@link openManagement} for a command that requires a paymaster. */
export function openPaymaster(flags: Flags): OpenManagement & { readonly apiKey: string } {
  const { apiKey, ...opened } = openManagement(flags);
  if (apiKey === undefined) throw missingApiKey();
  return { ...opened, apiKey };
}

/** The error for a command that requires a paymaster, when none is named. */
export function missingApiKey(): CliError {
  return mistake(
    'The apiKey of the paymaster is missing: --api-key <key>, or TOLLFREE_API_KEY. `tollfree paymaster list` shows it.',
  );
}
