import { createManagementClient, type ManagementClient } from '../../sdk/create-management-client.ts';
import { TollfreeApiError } from '../../sdk/errors/tollfree-api-error.ts';
import { TransportError } from '../../sdk/errors/transport-error.ts';
import { mistake, tryAgain } from '../cli-error.ts';
import type { Flags } from '../config/load-config.ts';
import { findManagementTarget, type ManagementTarget } from './management-target.ts';

/**
 * Works on the management interface of the service that the flags name. A refusal ends the command with the service's own
 * sentence, an answer that does not come with one to try again.
 */
export async function withManagement(
  flags: Flags,
  work: (client: ManagementClient, target: ManagementTarget) => Promise<void>,
): Promise<void> {
  const target = findManagementTarget(flags);
  if (target.notice !== undefined) process.stderr.write(`${target.notice}\n`);
  const { baseUrl, authToken, apiKey } = target;
  try {
    await work(createManagementClient({ baseUrl, authToken, apiKey }), target);
  } catch (error) {
    if (error instanceof TollfreeApiError) throw mistake(error.message, error);
    if (error instanceof TransportError) throw tryAgain(error.message, error);
    throw error;
  }
}

/** {@link withManagement} for a command that acts on one paymaster, which must be named. */
export async function withPaymaster(
  flags: Flags,
  work: (client: ManagementClient, apiKey: string) => Promise<void>,
): Promise<void> {
  await withManagement(flags, async (client, { apiKey }) => {
    if (apiKey === undefined) {
      throw mistake(
        'The apiKey of the paymaster is missing: --api-key <key>, or TOLLFREE_API_KEY. `tollfree paymaster list` shows it.',
      );
    }
    await work(client, apiKey);
  });
}
